import path from 'node:path';
import * as vscode from 'vscode';
import type { Interval } from '../../base/interval.ts';
import { environmentLabel, originOf } from '../../account/session/profile.ts';
import {
  isComplete,
  manifestName,
  type StatementSource,
  statementFormats,
  type StatementFormat,
} from '../../account/statement/manifest.ts';
import {
  readHistories,
  isLeftOut,
  type ReadHistory,
  monthsOf,
  type StatementMonth,
} from '../../account/statement/statementMonth.ts';
import { verifyStatement, type StatementCheck } from '../../account/statement/verifyStatement.ts';
import { writeStatement, type WrittenStatement } from '../../account/statement/writeStatement.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { TimeZone } from '../../base/timeZone.ts';
import { coverageParts } from '../../ledger/coverage/coverageParts.ts';
import { readLedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import { canRevealInFileManager } from '../export/exportCommand.ts';
import { formatLabel, startFolder } from '../export/exportQuestions.ts';
import type { LedgerSession } from '../../account/ledger/ledgerSession.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { ProfileLedgers } from '../ledger/profileLedgers.ts';
import type { Services } from '../settings/services.ts';
import { commands } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { withProgress } from '../shared/notificationProgress.ts';
import { t } from '../shared/translate.ts';
import { accountLabel } from '../text/messageText.ts';
import { checkText, isDamaged, writtenText, coverageOfMonthText } from './statementText.ts';

type StatementCommandOptions = Pick<Services, 'display' | 'log' | 'confirmRealValues'> & {
  readonly profileLedgers: ProfileLedgers;
  /** The name and version of the extension. */
  readonly writtenBy: string;
};

export function registerStatements(context: FeatureContext, profileLedgers: ProfileLedgers) {
  const statements = new StatementCommand({ ...context, profileLedgers });
  return {
    [commands.writeStatement]: () => statements.write(),
    [commands.verifyStatement]: verifyStatementFolder,
  };
}

/** Writes the statement of a month from the ledger of the open account. */
export class StatementCommand {
  private readonly options: StatementCommandOptions;

  constructor(options: StatementCommandOptions) {
    this.options = options;
  }

  async write(): Promise<void> {
    const { profileLedgers, confirmRealValues, writtenBy, log } = this.options;
    const ledger = await profileLedgers.require();
    if (!(await confirmRealValues())) return;
    const asked = await this.ask(ledger);
    if (!asked) return;
    const { profile } = ledger.account;
    const title = t('Writing the statement of {0} · {1}', accountLabel(profile), asked.month.name);
    const written = await withProgress(title, (cancelled, onProgress) =>
      writeStatement({
        ledger,
        source: sourceOf(ledger),
        writtenBy,
        onProgress,
        ...asked,
        // Closing the ledger cancels it, as opening another account does.
        signal: AbortSignal.any([cancelled, ledger.signal]),
      }),
    );
    logRejection(
      log,
      'showing a statement',
      showWritten(written, this.options.display.current, ledger.account.serverNow()),
    );
  }

  private async ask(ledger: LedgerSession) {
    const { reader, writer } = ledger;
    const { period } = await readLedgerSummary(reader, writer);
    if (period.to <= period.from)
      throw new UserFacingError(
        t('The ledger is empty. Run “Margin Desk: Download History…” first.'),
      );
    const histories = await readHistories(writer);
    const month = await askMonth(
      period,
      histories,
      this.options.display.current,
      ledger.account.serverNow(),
    );
    if (!month) return undefined;
    const format = await askStatementFormat();
    if (!format) return undefined;
    const parent = await askFolder(t('Folder for the Statement'), t('Write Here'));
    return parent === undefined ? undefined : { month, format, parent };
  }
}

/** The practice exchange has another address in each window. */
function sourceOf({ account: { profile } }: LedgerSession): StatementSource {
  const environment = environmentLabel(profile);
  const origin = profile.environment === 'practice' ? environment : originOf(profile);
  return { profile: profile.name, environment, origin };
}

async function showWritten(
  statement: WrittenStatement,
  display: Display,
  now: number,
): Promise<void> {
  const { contents, folder } = statement;
  const isWhole = isComplete(contents);
  const [open, reveal, ledger] = [t('Open Manifest'), t('Reveal'), t('Open Ledger')];
  const show = isWhole ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const buttons = [
    open,
    ...(canRevealInFileManager() ? [reveal] : []),
    ...(isWhole ? [] : [ledger]),
  ];
  const chosen = await show(writtenText(statement, display, now), ...buttons);
  const manifest = vscode.Uri.file(path.join(folder, manifestName));
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', manifest);
  if (chosen === reveal) await vscode.commands.executeCommand('revealFileInOS', manifest);
  if (chosen === ledger) await vscode.commands.executeCommand(commands.openLedger);
}

/** Checks the files of a statement. Needs no account, no ledger and no connection. */
async function verifyStatementFolder(): Promise<void> {
  const folder = await askFolder(t('Folder of the Statement'), t('Verify'));
  if (folder === undefined) return;
  const check = await withProgress(t('Verifying the statement'), (signal) =>
    verifyStatement(folder, signal),
  );
  void showOf(check)(checkText(folder, check));
}

function showOf(check: StatementCheck): (text: string) => Thenable<unknown> {
  if (isDamaged(check)) return vscode.window.showErrorMessage;
  const isExpected = check.previous !== 'different' && check.others.length === 0;
  return isExpected ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
}

/** The questions of a statement. Each resolves to undefined when the user cancels. */

async function pick<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  placeHolder: string,
): Promise<Item | undefined> {
  const title = t('Write Monthly Statement');
  return vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
}

/** Asks only if the zone of the window is another than UTC. */
async function askZone(shown: TimeZone): Promise<TimeZone | undefined> {
  if (shown.name === 'UTC') return shown;
  const utc = new TimeZone('UTC');
  const items = [
    { zone: shown, label: shown.name, description: t('the zone of this window') },
    { zone: utc, label: utc.name, description: t('the same on every machine') },
  ];
  return (await pick(items, t('Months of which zone?')))?.zone;
}

/** Asks for a month of the period that was read. */
async function askMonth(
  period: Interval,
  histories: readonly ReadHistory[],
  display: Display,
  now: number,
): Promise<StatementMonth | undefined> {
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

async function askStatementFormat(): Promise<StatementFormat | undefined> {
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
async function askFolder(title: string, openLabel: string): Promise<string | undefined> {
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
  throw new UserFacingError(t('Choose a folder on this machine.'));
}
