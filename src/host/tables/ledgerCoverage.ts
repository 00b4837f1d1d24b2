import { l10n } from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { Display } from '../../base/display.ts';
import { dayMs } from '../../base/time.ts';
import { lastDays } from '../../base/timeZone.ts';
import { incompleteText, partOfPeriodText } from '../text/partOfPeriodText.ts';
import {
  coverageParts,
  missingParts,
  type CoveragePart,
} from '../../ledger/coverage/coverageParts.ts';
import type { Coverage } from '../../ledger/ledger.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';

/** What the ledger knows of each moment that a query asks for, up to now. */
export function queriedParts(
  { request, period: { from = 0, to } }: ExportQuery,
  reads: readonly Coverage[],
  now: number,
): readonly CoveragePart[] {
  return coverageParts(ledgerHistoryOf(request), reads, { from, to: Math.min(to ?? now, now) });
}

/** Whether the ledger has the whole period; its newest rows may be missing until it is synchronised. */
export function coversPeriod(parts: readonly CoveragePart[]): boolean {
  const end = parts.at(-1);
  const isTail = parts.length > 1 && end !== undefined && end.to - end.from <= dayMs;
  const proven = isTail ? parts.slice(0, -1) : parts;
  return proven.length > 0 && proven.every(isComplete);
}

/** `complete to 05:31:42`, or the first gap in words. */
export function coverageText(
  parts: readonly CoveragePart[],
  display: Display,
  now: number,
): string {
  const { t } = l10n;
  const [first, last] = [parts.findIndex(isComplete), parts.findLastIndex(isComplete)];
  const [oldest, newest] = [parts[first], parts[last]];
  if (!oldest || !newest) return t('not complete');
  const at = (epochMs: number): string => timeText(epochMs, display, now);
  const gap = parts.slice(first, last).find((part) => !isComplete(part));
  if (gap) return t('rows may be missing from {0} to {1}', at(gap.from), at(gap.to));
  const isToEnd = last === parts.length - 1;
  if (first === 0) return isToEnd ? t('complete') : t('complete to {0}', at(newest.to));
  return isToEnd
    ? t('complete from {0}', at(oldest.from))
    : t('complete from {0} to {1}', at(oldest.from), at(newest.to));
}

/** How much there is of what a query asks for; null if it is all, or all but the newest rows. */
export function incompleteFigures(
  parts: readonly CoveragePart[],
  display: Display,
  now: number,
): string | null {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || missingParts(parts, now).length === 0) return null;
  const period = { from: first.from, to: last.to };
  return incompleteText(partOfPeriodText(parts.filter(isComplete), period, display));
}

function isComplete({ completeness }: CoveragePart): boolean {
  return completeness === 'complete';
}

/** With its date unless that is today's. */
function timeText(epochMs: number, display: Display, now: number): string {
  const isToday = epochMs >= lastDays(1, now, display.zone).from;
  const text = String(epochMs);
  return isToday ? display.timeOfDay(text) : display.timeToSecond(text);
}
