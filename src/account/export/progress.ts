import type { Interval } from '../../base/interval.ts';
import type { ReadResult } from '../../exchange/history/readToEnd.ts';
import { leastBulkMs, type RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import type { SavedWalk } from '../../ledger/ledger.ts';
import { badRecordsOf, readStateOf, type WalkProgress } from '../../ledger/sync/walkRunner.ts';
import type { RowTally } from './exportRows.ts';

/** How far the reading of an export has come. */
export type Progress = {
  /** Read from the exchange. */
  readonly rows: number;
  readonly reads: number;
  /** Estimated share that is done, from 0 to 1. */
  readonly part: number;
};

/** What was exported, and what is known of it. */
export type ExportResult = RowTally & {
  /** Fixed when the export began. */
  readonly range: Interval;
  readonly startedAt: number;
  readonly reads: number;
  /** Records that broke their type, the first ones listed. */
  readonly badRecords: ReturnType<typeof badRecordsOf>;
  /** Where the rows come from. */
  readonly source: 'exchange' | 'ledger' | 'both';
  readonly end: ReadResult;
};

/** The progress of all parts while one of them is read. */
export function progressOf(
  parts: readonly SavedWalk[],
  current: SavedWalk,
  { fraction, rows, reads }: WalkProgress,
): Progress {
  const others = parts.filter(({ id }) => id !== current.id);
  const states = others.flatMap((part) => readStateOf(part) ?? []);
  const ended = states.filter(({ end }) => end).length;
  return {
    rows: rows + sumOf(states, ({ walk }) => walk?.rows ?? 0),
    reads: reads + sumOf(states, (state) => state.reads),
    part: (ended + fraction) / parts.length,
  };
}

/** What the account's ledger proves of an export. */
type Proof = {
  readonly proved: readonly Interval[];
  /** Whether it no longer proves that once all rows are written. */
  readonly isProofLost: boolean;
};

/** Of an export whose parts are read. The worst of their results is that of the file. */
export function resultOf(
  { from, to, asOf: startedAt }: SavedWalk,
  parts: readonly SavedWalk[],
  tally: RowTally,
  { proved, isProofLost }: Proof,
): ExportResult {
  const states = parts.flatMap((part) => readStateOf(part) ?? []);
  const ends = states.flatMap(({ end }) => end ?? []);
  const drifted = { completeness: 'drifted', reason: null } as const;
  const worst =
    ends.find(({ completeness }) => completeness === 'unknown') ??
    (isProofLost ? drifted : ends.find(({ completeness }) => completeness === 'drifted'));
  return {
    ...tally,
    range: { from, to },
    startedAt,
    reads: sumOf(states, ({ reads }) => reads),
    badRecords: badRecordsOf(states),
    source: proved.length === 0 ? 'exchange' : parts.length === 0 ? 'ledger' : 'both',
    end: worst ?? { completeness: 'complete', reason: null },
  };
}

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}

/** `complete` only if the file has every requested row, and no other. */
export function exportCompleteness({
  end,
  unmatched,
  badRecords,
}: Pick<ExportResult, 'end' | 'unmatched' | 'badRecords'>): ReadResult {
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
