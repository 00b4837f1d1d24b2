import { inEnglish } from '../../base/phrase.ts';
import { findIgnoredFilters } from '../../exchange/history/filterRules.ts';
import {
  timeOf,
  type HistoryRecord,
  type HistorySelection,
} from '../../exchange/history/historyRecords.ts';
import type { TimeRange } from '../../exchange/history/historySource.ts';
import type { ReadIncompleteReason, ReadResult } from '../../exchange/history/readToEnd.ts';
import type { WalkCursor } from '../../exchange/history/walk/cursor.ts';
import type { WalkStep, WalkEnd } from '../../exchange/history/walk/walk.ts';
import { leastBulkMs, type RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import type { BadRecord } from '../../exchange/records.ts';

/**
 * A record that broke its type, always described in English. `between` has the first and last time of
 * the new rows of its answer.
 */
type ListedBadRecord = {
  readonly path: string;
  readonly problem: string;
  readonly between: readonly [string, string] | null;
};

export const exportSources = ['exchange', 'ledger'] as const;
type ExportSource = (typeof exportSources)[number];

/** How far an export has come: all that is needed to resume it. */
export type Progress = {
  /** Fixed when the export began. */
  readonly range: TimeRange;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly rows: number;
  /** The length of the file that holds these rows. */
  readonly bytes: number;
  readonly reads: number;
  /** Estimated share that is done, from 0 to 1. */
  readonly part: number;
  /** Records that broke their type, the first ones listed. One that is read twice counts twice: it has no id. */
  readonly badRecords: { readonly atMost: number; readonly listed: readonly ListedBadRecord[] };
  /** How many rows contradict each parameter, which the exchange ignored. */
  readonly unmatched: Readonly<Record<string, number>>;
  /** Filters that are applied here instead of being sent. */
  readonly filteredHere: readonly string[];
  /** Where the rows come from. */
  readonly source: ExportSource;
  /** Undefined before the first rows. */
  readonly cursor: WalkCursor | undefined;
  /** The result, once every row was read. */
  readonly end: ReadResult | undefined;
};

const maxListed = 1000;

export function initialProgress(range: TimeRange, startedAt: number): Progress {
  return {
    range,
    startedAt,
    rows: 0,
    bytes: 0,
    reads: 0,
    part: 0,
    badRecords: { atMost: 0, listed: [] },
    unmatched: {},
    filteredHere: [],
    source: 'exchange',
    cursor: undefined,
    end: undefined,
  };
}

/** The walk itself drops the rows outside the period. */
const anyTime = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** The progress after a step whose rows were written as `bytes` bytes. */
export function progressAfterStep(
  progress: Progress,
  { items, badRecords, cursor, fraction }: WalkStep<HistoryRecord>,
  selection: HistorySelection,
  bytes: number,
): Progress {
  return {
    ...progress,
    rows: progress.rows + items.length,
    bytes: progress.bytes + bytes,
    part: fraction,
    cursor,
    badRecords: withBad(progress.badRecords, badRecords, items),
    unmatched: withUnmatched(progress.unmatched, items, selection),
  };
}

function withBad(
  { atMost, listed }: Progress['badRecords'],
  bad: readonly BadRecord[],
  items: readonly HistoryRecord[],
): Progress['badRecords'] {
  const between = spanOf(items);
  const more = bad
    .slice(0, maxListed - listed.length)
    .map(({ path, problem }) => ({ path, problem: inEnglish(problem), between }));
  return { atMost: atMost + bad.length, listed: [...listed, ...more] };
}

/** The first and last time of some rows, in UTC: an unreadable record has no time of its own. */
function spanOf(items: readonly HistoryRecord[]): readonly [string, string] | null {
  const times = items.map((item) => timeOf(item) ?? Number.NaN);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return Number.isFinite(first) ? [iso(first), iso(last)] : null;
}

function withUnmatched(
  known: Progress['unmatched'],
  items: readonly HistoryRecord[],
  selection: HistorySelection,
): Progress['unmatched'] {
  const sums = findIgnoredFilters(selection, items, anyTime).map(
    ({ parameter, rows }) => [parameter, (known[parameter] ?? 0) + rows] as const,
  );
  return { ...known, ...Object.fromEntries(sums) };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Whether a file is complete. `unreadableRecords`: the exchange has rows that are not in it. */
type ExportCompleteness = Pick<WalkEnd, 'completeness'> & {
  readonly reason: ReadIncompleteReason | 'unreadableRecords' | null;
};

/** `complete` only if the file has every requested row, and no other. */
export function exportCompleteness({
  end,
  unmatched,
  badRecords,
}: Pick<Progress, 'end' | 'unmatched' | 'badRecords'>): ExportCompleteness {
  if (!end) return { completeness: 'unknown', reason: null };
  if (end.completeness === 'unknown') return end;
  if (Object.keys(unmatched).length > 0)
    return { completeness: 'unknown', reason: 'filterIgnored' };
  if (badRecords.atMost > 0) return { completeness: 'unknown', reason: 'unreadableRecords' };
  return end;
}

/** What was done since this process started or resumed an export. */
type ExportPace = {
  readonly reads: number;
  /** The share that these reads did, and the share that is left, from 0 to 1. */
  readonly done: number;
  readonly left: number;
  readonly elapsedMs: number;
};

/**
 * Estimates how long the rest takes: at the pace so far, but never faster than the rate limit allows for
 * bulk reads, as the first reads do not have to wait yet. Undefined before the first rows.
 */
export function timeLeftMs(
  { reads, done, left, elapsedMs }: ExportPace,
  weight: number,
  usage: Pick<RateLimitUsage, 'ownShare' | 'windowMs'>,
): number | undefined {
  if (reads === 0 || done <= 0) return undefined;
  return (reads / done) * left * Math.max(elapsedMs / reads, leastBulkMs(weight, usage));
}
