import type { Interval } from '../../base/interval.ts';
import type { ReadResult } from '../../exchange/history/readToEnd.ts';
import { leastBulkMs, type RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import type { SavedWalk } from '../../ledger/ledger.ts';
import {
  mostListedRecords,
  readStateOf,
  savedProgressOf,
  type ReadState,
  type WalkProgress,
} from '../../ledger/sync/walkRunner.ts';
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
  /** Records that broke their type, the first ones listed. One that is read twice counts twice: it has no id. */
  readonly badRecords: { readonly atMost: number; readonly listed: ReadState['badRecords'] };
  /** Where the rows come from. */
  readonly source: 'exchange' | 'ledger' | 'both';
  /** `complete` only if the file has every requested row, and no other. */
  readonly end: ReadResult;
};

/** The progress of all parts, of which one may be read now. */
export function progressOf(
  parts: readonly SavedWalk[],
  current?: WalkProgress & Pick<SavedWalk, 'id'>,
): Progress {
  const all = parts.map((part) => (part.id === current?.id ? current : savedProgressOf(part)));
  return {
    rows: sumOf(all, ({ rows }) => rows),
    reads: sumOf(all, ({ reads }) => reads),
    part: sumOf(all, ({ fraction }) => fraction) / Math.max(1, all.length),
  };
}

/** What the account's ledger proves of an export. */
type Proof = {
  readonly proved: readonly Interval[];
  /** Whether it no longer proves that once all rows are written. */
  readonly isProofLost: boolean;
};

/** Of an export whose parts are read. The worst of what is known of them is the result of the file. */
export function resultOf(
  { from, to, asOf: startedAt }: SavedWalk,
  parts: readonly SavedWalk[],
  tally: RowTally,
  { proved, isProofLost }: Proof,
): ExportResult {
  const states = parts.flatMap((part) => readStateOf(part) ?? []);
  const hasUnmatched = Object.keys(tally.unmatched).length > 0;
  const ends: readonly ReadResult[] = [
    ...states.flatMap(({ end }) => end ?? []),
    ...(hasUnmatched ? [{ completeness: 'unknown', reason: 'filterIgnored' } as const] : []),
    ...(isProofLost ? [{ completeness: 'drifted', reason: null } as const] : []),
  ];
  const worst =
    ends.find(({ completeness }) => completeness === 'unknown') ??
    ends.find(({ completeness }) => completeness === 'drifted');
  return {
    ...tally,
    range: { from, to },
    startedAt,
    reads: sumOf(states, ({ reads }) => reads),
    badRecords: {
      atMost: sumOf(states, ({ walk }) => walk?.bad ?? 0),
      listed: states.flatMap(({ badRecords }) => badRecords).slice(0, mostListedRecords),
    },
    source: proved.length === 0 ? 'exchange' : parts.length === 0 ? 'ledger' : 'both',
    end: worst ?? { completeness: 'complete', reason: null },
  };
}

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
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
