import * as vscode from 'vscode';
import type { Interval } from '../../base/interval.ts';
import { statementFormats, type StatementFormat } from '../../account/statement/manifest.ts';
import { isLeftOut, type ReadHistory } from '../../account/statement/statementCoverage.ts';
import { monthsOf, type StatementMonth } from '../../account/statement/statementMonth.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { Display } from '../../base/display.ts';
import { TimeZone } from '../../base/timeZone.ts';
import { coverageParts } from '../../ledger/coverage/coverageParts.ts';
import { coverageOfMonthText } from './statementText.ts';
import { formatLabel, startFolder } from '../export/exportQuestions.ts';

/** The questions of a statement. Each resolves to undefined when the user cancels. */

async function pick<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  placeHolder: string,
): Promise<Item | undefined> {
  const title = vscode.l10n.t('Write Monthly Statement');
  return vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
}

/** Asks only if the zone of the window is another than UTC. */
async function askZone(shown: TimeZone): Promise<TimeZone | undefined> {
  if (shown.name === 'UTC') return shown;
  const { t } = vscode.l10n;
  const utc = new TimeZone('UTC');
  const items = [
    { zone: shown, label: shown.name, description: t('the zone of this window') },
    { zone: utc, label: utc.name, description: t('the same on every machine') },
  ];
  return (await pick(items, t('Months of which zone?')))?.zone;
}

/** Asks for a month of the period that was read. */
export async function askMonth(
  period: Interval,
  histories: readonly ReadHistory[],
  display: Display,
  now: number,
): Promise<StatementMonth | undefined> {
  const { t } = vscode.l10n;
  const zone = await askZone(display.zone);
  if (!zone) return undefined;
  const own = histories.filter((history) => !isLeftOut(history));
  const items = monthsOf(period, zone).map((month) => ({
    month,
    label: month.name,
    description: coverageOfMonthText(
      own.map(({ history, reads }) => ({ parts: coverageParts(history, reads, month) })),
      month,
      display,
      now,
    ),
  }));
  return (await pick(items, t('Month, in {0}', zone.name)))?.month;
}

export async function askStatementFormat(): Promise<StatementFormat | undefined> {
  const { t } = vscode.l10n;
  const descriptions: Readonly<Record<StatementFormat, string>> = {
    csv: t('for spreadsheets and programs'),
    parquet: t('for DuckDB, pandas, and other engines'),
  };
  const items = statementFormats.map((format) => ({
    format,
    label: formatLabel(format),
    description: descriptions[format],
  }));
  return (await pick(items, t('Form of the records, beside the journals')))?.format;
}

/** Asks for a folder on this machine. */
export async function askFolder(title: string, openLabel: string): Promise<string | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel,
      canSelectFolders: true,
      canSelectFiles: false,
      defaultUri: vscode.Uri.file(startFolder()),
    })) ?? [];
  if (!chosen) return undefined;
  if (chosen.scheme === 'file') return chosen.fsPath;
  throw new UserFacingError(vscode.l10n.t('Choose a folder on this machine.'));
}
