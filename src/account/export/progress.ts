import * as v from 'valibot';
import { always, type Interval } from '../../base/interval.ts';
import { inEnglish } from '../../base/phrase.ts';
import { findIgnoredFilters } from '../../exchange/history/filterRules.ts';
import {
  timeOf,
  type HistoryRecord,
  type HistorySelection,
} from '../../exchange/history/historyRecords.ts';
import type { ReadIncompleteReason } from '../../exchange/history/readToEnd.ts';
import { parseWalkCursor, type WalkCursor } from '../../exchange/history/walk/cursor.ts';
import type { WalkStep, WalkEnd } from '../../exchange/history/walk/walk.ts';
import { leastBulkMs, type RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import type { BadRecord } from '../../exchange/records.ts';

/** Exhaustive by type: a saved state with a reason that is missing here could not be parsed. */
export const incompleteReasons: Readonly<Record<ReadIncompleteReason, ReadIncompleteReason>> = {
  spanUnproven: 'spanUnproven',
  readsUsedUp: 'readsUsedUp',
  endUnproven: 'endUnproven',
  countDisagrees: 'countDisagrees',
  edgesUnproven: 'edgesUnproven',
  orderUnproven: 'orderUnproven',
  movedUnseen: 'movedUnseen',
  depthUnproven: 'depthUnproven',
  endsIgnored: 'endsIgnored',
  filterIgnored: 'filterIgnored',
  datesUndecided: 'datesUndecided',
  zoneUnknown: 'zoneUnknown',
  unreadableRecords: 'unreadableRecords',
};
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Epoch milliseconds. */
const instant = v.pipe(v.number(), v.integer());

/**
 * A record that broke its type, always described in English. `between` has the first and last time of
 * the new rows of its answer.
 */
const listedBadRecord = v.object({
  path: v.string(),
  problem: v.string(),
  between: v.nullable(v.tuple([v.string(), v.string()])),
});

/** How far an export has come: all that is needed to resume it. */
const progressSchema = v.object({
  /** Fixed when the export began. */
  range: v.object({ from: instant, to: instant }),
  startedAt: instant,
  rows: count,
  /** The length of the file that holds these rows. */
  bytes: count,
  reads: count,
  /** Estimated share that is done, from 0 to 1. */
  part: v.number(),
  /** Records that broke their type, the first ones listed. One that is read twice counts twice: it has no id. */
  badRecords: v.object({
    atMost: count,
    listed: v.pipe(v.array(listedBadRecord), v.readonly()),
  }),
  /** How many rows contradict each parameter, which the exchange ignored. */
  unmatched: v.record(v.string(), count),
  /** Filters that are applied here instead of being sent. */
  filteredHere: v.pipe(v.array(v.string()), v.readonly()),
  /** Where the rows come from. */
  source: v.picklist(['exchange', 'ledger']),
  /** Undefined before the first rows. */
  cursor: v.optional(v.custom<WalkCursor>((value) => parseWalkCursor(value) !== undefined)),
  /** The result, once every row was read. */
  end: v.optional(
    v.object({
      completeness: v.picklist(['complete', 'drifted', 'unknown']),
      reason: v.nullable(v.enum(incompleteReasons)),
    }),
  ),
});
export type Progress = Readonly<v.InferOutput<typeof progressSchema>>;

const savedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ v: v.literal(1), savedAt: instant, progress: progressSchema }),
);
/** How far an export has come, and when that was saved. */
export type SavedProgress = { readonly progress: Progress; readonly savedAt: number };

export function serializeProgress(saved: SavedProgress): string {
  return JSON.stringify({ v: 1, ...saved });
}

/** Parses what `serializeProgress` wrote; undefined for anything else. */
export function parseProgress(text: string): SavedProgress | undefined {
  const parsed = v.safeParse(savedSchema, text);
  return parsed.success ? parsed.output : undefined;
}

const maxListed = 1000;

export function initialProgress(range: Interval, startedAt: number): Progress {
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
  };
}

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
function spanOf(items: readonly HistoryRecord[]): [string, string] | null {
  const times = items.map((item) => timeOf(item) ?? Number.NaN);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return Number.isFinite(first) ? [iso(first), iso(last)] : null;
}

function withUnmatched(
  known: Progress['unmatched'],
  items: readonly HistoryRecord[],
  selection: HistorySelection,
): Progress['unmatched'] {
  const sums = findIgnoredFilters(selection, items, always).map(
    ({ parameter, rows }) => [parameter, (known[parameter] ?? 0) + rows] as const,
  );
  return { ...known, ...Object.fromEntries(sums) };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Whether a file is complete. */
type ExportCompleteness = Pick<WalkEnd, 'completeness'> & {
  readonly reason: ReadIncompleteReason | null;
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
