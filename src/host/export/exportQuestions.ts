import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { always, openStart, type Interval } from '../../base/interval.ts';
import { metaFileName } from '../../account/export/exportedFile.ts';
import {
  exportFormats,
  fileExtension,
  mostSheetRows,
  sheetCount,
  type ExportFormat,
} from '../../account/export/exportFormats.ts';
import type { ExportPlan, ExportQuery } from '../../account/export/exportPlan.ts';
import { escapeInvisible, fileNamePart } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { ledgerHistories } from '../../ledger/ledger.ts';
import { operations } from '../../api/operations.ts';
import { confirm } from '../shared/confirm.ts';
import { t } from '../shared/translate.ts';
import { historyLabel } from '../text/historyLabel.ts';
import { untrustedText } from '../text/messageText.ts';
import { subjectText, type ExportedRows } from './exportText.ts';

/** The questions of an export. Each resolves to undefined when the user cancels. */

/** The panel takes the focus back when a dialog before the question closes: the question stays open. */
const ignoreFocusOut = true;

/** Names what is exported, before it asks for the file. Of `rows`, the exchange may have given no count. */
export async function askFormat(
  scope: string,
  rows: number | undefined,
  display: Display,
): Promise<ExportFormat | undefined> {
  const descriptions: Readonly<Record<ExportFormat, string>> = {
    csv: t('for spreadsheets and programs'),
    xlsx: workbookText(rows ?? 0, display),
    parquet: t('for DuckDB, pandas, and other engines'),
    parquetParts: t('folders by account, operation and month'),
    json: t('one array of records'),
    jsonl: t('one record per line'),
  };
  const items = exportFormats.map((format) => ({
    format,
    label: formatLabel(format),
    description: descriptions[format],
  }));
  const title = t('Export {0}', scope);
  const placeHolder = t('Numbers keep every digit');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut }))?.format;
}

/** If a sheet cannot hold all rows, further sheets follow: the question says so first. */
function workbookText(rows: number, display: Display): string {
  const sheets = sheetCount(rows);
  return sheets === 1
    ? t('a workbook for Excel or LibreOffice')
    : t(
        'a workbook with {0} sheets, as one has at most {1} rows',
        display.count(sheets),
        display.count(mostSheetRows),
      );
}

/** Asks for a history, of which all rows are exported. */
export async function askSubject(): Promise<ExportQuery | undefined> {
  const items = Object.values(ledgerHistories).map((request) => ({
    label: historyLabel(request.operation),
    description: Object.values(request.filters).join(' '),
    request,
  }));
  const placeHolder = t('Exports all rows. To export filtered rows, open the history.');
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Export History'),
    placeHolder,
    ignoreFocusOut,
  });
  return picked && { request: picked.request, period: always };
}

/** More requests than a user expects of one button. */
const longExportReads = 100;

/** Asks before an export with many requests. If the exchange answers only short periods, even few rows need many. */
export async function confirmLongExport(
  plan: ExportPlan,
  reads: number,
  display: Display,
): Promise<boolean> {
  if (reads < longExportReads) return true;
  const { weight } = operations[plan.operation];
  const detail = t(
    'The exchange limits the period of one request. To read less, open the history, set a start date, and export from there.',
  );
  const question = t(
    'The export of {0} takes at least {1} requests, with weight {2}. Start it?',
    subjectText(plan),
    display.count(reads),
    display.count(reads * weight),
  );
  return confirm(question, detail, t('Export'));
}

/**
 * Asks for the file, and says so if an interrupted export goes on. The dialog confirms replacing an existing one, but not
 * a meta file without its export.
 */
export async function askTarget(
  plan: ExportedRows & Pick<ExportPlan, 'format' | 'range'>,
  resumed: Interval | undefined,
  display: Display,
): Promise<string | undefined> {
  const file = path.join(startFolder(), exportFileName(plan, resumed ?? plan.range));
  const isFolder = fileExtension(plan.format) === '';
  const subject = subjectText(plan);
  const chosen = await vscode.window.showSaveDialog({
    title: resumed
      ? t('Unfinished export of {0} until {1}', subject, display.timeToSecond(resumed.to))
      : t('Export of {0}', subject),
    saveLabel: t('Export'),
    defaultUri: vscode.Uri.file(file),
    ...(isFolder ? {} : { filters: { [formatLabel(plan.format)]: [plan.format] } }),
  });
  if (!chosen) return undefined;
  if (chosen.scheme !== 'file')
    throw new UserFacingError(t('Nothing was exported. Choose a folder on this machine.'));
  if (isFolder && existsSync(chosen.fsPath))
    throw new UserFacingError(
      t(
        'Nothing was exported: “{0}” already exists. Choose another name for the new folder.',
        untrustedText(path.basename(chosen.fsPath), 300),
      ),
    );
  return (await confirmReplacingMetaFile(chosen.fsPath)) ? chosen.fsPath : undefined;
}

/** The folder that is open, else the user's own. */
export function startFolder(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : os.homedir();
}

async function confirmReplacingMetaFile(file: string): Promise<boolean> {
  const metaFile = metaFileName(file);
  if (existsSync(file) || !existsSync(metaFile)) return true;
  const question = t(
    '“{0}” already exists. Replace it?',
    untrustedText(path.basename(metaFile), 300),
  );
  return confirm(question, '', t('Replace'));
}

export function formatLabel(format: ExportFormat): string {
  return {
    csv: 'CSV',
    xlsx: 'XLSX',
    parquet: 'Parquet',
    parquetParts: t('Parquet by Month'),
    json: 'JSON',
    jsonl: 'JSON Lines',
  }[format];
}

/** `orders-Main-20261101T000000Z-20261120T213504Z.csv`; without a start, `…-until-…`. */
export function exportFileName(
  {
    operation,
    profile,
    format,
  }: Pick<ExportedRows, 'operation' | 'profile'> & Pick<ExportPlan, 'format'>,
  { from, to }: Interval,
): string {
  const owner = fileNamePart(escapeInvisible(profile));
  const period = `${from === openStart ? 'until' : basicIsoTime(from)}-${basicIsoTime(to)}`;
  const parts = [operation, owner, period].filter((part) => part !== '');
  return `${parts.join('-')}${fileExtension(format)}`;
}

function basicIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
