import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExportPlan, ExportSubject } from '../../account/export/exportPlan.ts';
import { metaNameOf } from '../../account/export/placeFile.ts';
import type { Progress } from '../../account/export/progress.ts';
import type { FormatName } from '../../account/export/rowWriter.ts';
import type { Display } from '../../base/display.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { operations } from '../../exchange/operations.ts';
import type { TimeRange } from '../../exchange/walk/history.ts';
import { quoted } from '../words.ts';
import { rowsWords, subjectWords } from './exportTableWords.ts';

/** What an export asks before it begins. Each resolves to undefined when the person gives up. */

export async function askFormat(): Promise<FormatName | undefined> {
  const { t } = vscode.l10n;
  const items: readonly (vscode.QuickPickItem & { format: FormatName })[] = [
    { format: 'csv', label: 'CSV', description: t('for spreadsheets and programs') },
    { format: 'json', label: 'JSON', description: t('one array of records') },
    { format: 'jsonl', label: 'JSON Lines', description: t('one record a line') },
  ];
  const title = t('Export All: Format');
  const placeHolder = t('Every digit as the exchange wrote it');
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.format;
}

/** Which history, where no panel says it; all of its rows. */
export async function askSubject(): Promise<ExportSubject | undefined> {
  const { t } = vscode.l10n;
  const items: readonly (vscode.QuickPickItem & Pick<ExportSubject, 'request'>)[] = [
    { label: t('Order History'), request: { operation: 'orders', filters: {} } },
    { label: t('Trade History'), request: { operation: 'trades', filters: {} } },
    { label: t('Liquidation Lots of the Venue'), request: { operation: 'lots', filters: {} } },
    {
      label: t('Transaction History'),
      description: 'FUTURE',
      request: { operation: 'transactions', filters: { accountType: 'FUTURE' } },
    },
    {
      label: t('Transaction History'),
      description: 'SPOT',
      request: { operation: 'transactions', filters: { accountType: 'SPOT' } },
    },
  ];
  const placeHolder = t('All rows. Open a history to export what its filters match.');
  const picked = await vscode.window.showQuickPick(items, { title: t('Export All'), placeHolder });
  return picked && { request: picked.request, period: { from: undefined, to: undefined } };
}

/** Whether to go on with what was kept of the same export. */
export async function askToResume(
  plan: ExportPlan,
  { rows, range }: Progress,
  savedAt: number,
  display: Display,
): Promise<'resume' | 'startOver' | undefined> {
  const { t } = vscode.l10n;
  const at = (epochMs: number): string => display.timeToSecond(String(epochMs));
  const kept = t('{0} up to now, stopped {1}', rowsWords(rows, display), at(savedAt));
  const items = [
    { choice: 'resume', label: t('Resume'), description: kept },
    { choice: 'startOver', label: t('Start Over'), description: t('forgets the kept rows') },
  ] as const;
  const title = t('Export of {0}', subjectWords(plan));
  const placeHolder = t('An export up to {0} was not finished', at(range.to));
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.choice;
}

/** More requests than somebody expects of a press of a button. */
const manyReads = 100;

/** Whether to begin what takes long, however few rows there are: the exchange answers short periods only. */
export async function askManyReads(
  plan: ExportPlan,
  reads: number,
  display: Display,
): Promise<boolean> {
  if (reads < manyReads) return true;
  const { t } = vscode.l10n;
  const go = { title: t('Export') };
  const { weight } = operations[plan.operation];
  const detail = t(
    'The exchange answers only short periods at once. To read less, open the history, give it a first day and export from there.',
  );
  const question = t(
    'The export of {0} takes at least {1} requests, of weight {2}. Begin it?',
    subjectWords(plan),
    display.count(reads),
    display.count(reads * weight),
  );
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, go);
  return chosen === go;
}

/** The chosen file. An existing one was asked about by the dialog, the description of one that is gone is here. */
export async function askTarget(plan: ExportPlan, range: TimeRange): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const file = path.join(os.homedir(), exportFileName(plan, range));
  const chosen = await vscode.window.showSaveDialog({
    title: t('Export of {0}', subjectWords(plan)),
    saveLabel: t('Export'),
    defaultUri: vscode.Uri.file(file),
    filters: { [formatLabels[plan.format]]: [plan.format] },
  });
  if (!chosen) return undefined;
  if (chosen.scheme !== 'file')
    throw new SentenceError(t('Nothing was exported: choose a folder on a disk of this machine.'));
  return (await mayDescribe(chosen.fsPath)) ? chosen.fsPath : undefined;
}

async function mayDescribe(file: string): Promise<boolean> {
  const description = metaNameOf(file);
  if (existsSync(file) || !existsSync(description)) return true;
  const { t } = vscode.l10n;
  const replace = { title: t('Replace') };
  const question = t(
    '“{0}” is there already. Replace it?',
    quoted(path.basename(description), 300),
  );
  return (await vscode.window.showWarningMessage(question, { modal: true }, replace)) === replace;
}

const formatLabels: Readonly<Record<FormatName, string>> = {
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON Lines',
};

/** `orders-Main-20261101T000000Z-20261120T213504Z.csv`; without a first day `…-until-…`. */
export function exportFileName(
  { operation, profile, format }: Pick<ExportPlan, 'operation' | 'profile' | 'format'>,
  { from, to }: TimeRange,
): string {
  const owner = profile.replace(/[^\p{L}\p{N}._]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
  const period = `${from === undefined ? 'until' : basicTime(from)}-${basicTime(to)}`;
  return [operation, owner, period].filter((part) => part !== '').join('-') + `.${format}`;
}

function basicTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
