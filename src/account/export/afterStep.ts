import { inEnglish } from '../../base/phrase.ts';
import { unmatchedIn, type Filters } from '../../exchange/dialect/historyPage.ts';
import type { BadRecord } from '../../exchange/records.ts';
import type { WalkStep } from '../../exchange/walk.ts';
import { mostListed, type Progress } from './progress.ts';
import { timeOf, type HistoryRecord } from '../../exchange/histories.ts';

/** The walk itself sees to the period. */
const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** How far an export is after a step whose rows took so many bytes. */
export function afterStep(
  progress: Progress,
  { items, badRecords, cursor, part }: WalkStep<HistoryRecord>,
  filters: Filters,
  bytes: number,
): Progress {
  return {
    ...progress,
    rows: progress.rows + items.length,
    bytes: progress.bytes + bytes,
    part,
    cursor,
    badRecords: withBad(progress.badRecords, badRecords, items),
    unmatched: withUnmatched(progress.unmatched, items, filters),
  };
}

function withBad(
  { atMost, listed }: Progress['badRecords'],
  bad: readonly BadRecord[],
  items: readonly HistoryRecord[],
): Progress['badRecords'] {
  const between = spanOf(items);
  const more = bad
    .slice(0, mostListed - listed.length)
    .map(({ path, problem }) => ({ path, problem: inEnglish(problem), between }));
  return { atMost: atMost + bad.length, listed: [...listed, ...more] };
}

/** The first and the last moment of some rows, in UTC: where to look for a record that has no time. */
function spanOf(items: readonly HistoryRecord[]): readonly [string, string] | null {
  const times = items.map((item) => timeOf(item) ?? Number.NaN);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return Number.isFinite(first) ? [iso(first), iso(last)] : null;
}

function withUnmatched(
  known: Progress['unmatched'],
  items: readonly HistoryRecord[],
  filters: Filters,
): Progress['unmatched'] {
  const sums = unmatchedIn(items, filters, always).map(
    ({ parameter, rows }) => [parameter, (known[parameter] ?? 0) + rows] as const,
  );
  return { ...known, ...Object.fromEntries(sums) };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
