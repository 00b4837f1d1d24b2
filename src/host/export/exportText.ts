import type { ExportPlan } from '../../account/export/exportPlan.ts';
import type { ExportResult } from '../../account/export/progress.ts';
import type { Display } from '../../base/display.ts';
import type { HistoryName } from '../../api/operations.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { incompleteReasonText } from '../text/incompleteReasonText.ts';
import { untrustedText } from '../text/messageText.ts';
import { rowCountText, timeLeftText } from '../text/progressText.ts';

/** What a file has, and whose it is. */
export type ExportedRows = Pick<ExportPlan, 'profile' | 'environment'> & {
  readonly operation: HistoryName | 'positions' | 'symbols';
};

/** The name of a history within a sentence. */
function historyText(operation: ExportedRows['operation']): string {
  return {
    orders: t('the order history'),
    trades: t('the trade history'),
    lots: t('the liquidation auctions'),
    transactions: t('the transaction history'),
    positions: t('the closed positions'),
    symbols: t('the figures by symbol'),
  }[operation];
}

/** `the order history of LIVE · Main`. */
export function subjectText({ operation, profile, environment }: ExportedRows): string {
  return t('{0} of {1} · {2}', historyText(operation), environment, untrustedText(profile));
}

/** `12,000 rows · weight 240 · about 3 min left`. */
export function progressText(
  rows: number,
  weight: number,
  leftMs: number | undefined,
  display: Display,
): string {
  const parts = [rowCountText(rows, display), t('weight {0}', display.count(weight))];
  if (leftMs !== undefined) parts.push(timeLeftText(leftMs, display));
  return parts.join(' · ');
}

export function waitingText(): string {
  return t('Waiting for another export of the same rows');
}

/** `Writing the file: 12,000 rows`. */
export function writingText(rows: number, display: Display): string {
  return t('Writing the file: {0}', rowCountText(rows, display));
}

/** The result of a finished export. It says “all” only if that is verified. */
export function resultText(
  plan: ExportPlan,
  result: ExportResult,
  fileName: string,
  display: Display,
): string {
  const { rows, badRecords, unmatched, end } = result;
  const isComplete = end.completeness === 'complete';
  const [subject, file] = [subjectText(plan), untrustedText(fileName, 300)];
  const count = display.count(rows);
  const exported = isComplete
    ? t('Exported all {0} matching rows of {1} to {2}.', count, subject, file)
    : t('Exported {0} rows of {1} to {2}.', count, subject, file);
  const ignored = Object.entries(unmatched).map((one) => ignoredFilterText(one, display));
  const warnings = [completenessText(end), ...ignored, badRecordsText(badRecords.atMost, display)];
  return [exported, ...warnings].filter((text) => text !== '').join(' ');
}

/** Why an export failed, and what was saved. */
export function exportFailureText(error: unknown, rows: number, display: Display): string {
  return `${errorText(error, display)} ${resumableText(rows, display)}`;
}

export function resumableText(rows: number, display: Display): string {
  return rows === 0
    ? t('No rows had been read, so nothing was saved.')
    : t('{0} saved for 24 hours; export again to resume.', rowCountText(rows, display));
}

function completenessText({ completeness, reason }: ExportResult['end']): string {
  if (completeness === 'complete') return '';
  if (completeness === 'drifted')
    return t('Records changed while they were read. Some may be missing: export again to be sure.');
  // The text of each ignored filter and of unreadable records follows.
  if (reason === 'filterIgnored' || reason === 'unreadableRecords') return '';
  return reason
    ? t('Rows may be missing: {0}.', incompleteReasonText(reason) ?? '')
    : t('Rows may be missing.');
}

function ignoredFilterText([parameter, rows]: [string, number], display: Display): string {
  return t(
    'The exchange ignored the filter {0}. Rows in the file that do not match it: {1}.',
    parameter,
    display.count(rows),
  );
}

function badRecordsText(count: number, display: Display): string {
  if (count === 0) return '';
  return count === 1
    ? t('1 record could not be read and is missing. The .meta.json file lists it.')
    : t(
        'Up to {0} records could not be read and are missing. The .meta.json file lists them.',
        display.count(count),
      );
}
