import * as v from 'valibot';
import { dayMs } from '../../../base/time.ts';
import type { Answer } from './answer.ts';
import { coarserUnitsMs, type TimeWindow } from './timeWindow.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const epochMs = v.pipe(v.number(), v.safeInteger());
const windowSchema = v.object({ from: v.nullable(epochMs), to: epochMs });

/** Stored names: why rows may be missing; docs/exports.md explains each. */
export const unprovenReasons = [
  'endUnproven',
  'countDisagrees',
  'edgesUnproven',
  'orderUnproven',
  'movedUnseen',
  'depthUnproven',
  'endsIgnored',
  'filterIgnored',
  'olderVersion',
] as const;
export type UnprovenReason = (typeof unprovenReasons)[number];

/**
 * A part of the range that one question covers: what the exchange counted at its begin, and how many
 * rows were found in it and beside it.
 */
const partSchema = v.object({
  window: windowSchema,
  count: v.nullable(count),
  rows: count,
  beside: count,
});

const stateSchema = v.object({
  version: v.literal(6),
  /** Left to read; the last one is next. */
  windows: v.array(windowSchema),
  part: v.nullable(partSchema),
  order: v.picklist(['unknown', 'newestFirst', 'oldestFirst', 'none']),
  isOrderProven: v.boolean(),
  /** Whether rows proved that the exchange applies the ends of a question to the unit. */
  areEndsProven: v.boolean(),
  /** The coarsest unit whose multiples all times are, among the coarser units; 0 for none. */
  grainMs: count,
  /** Windows have whole units of this length at least. */
  unitMs: count,
  /** Whether the exchange includes the whole unit that begins at `to`. */
  includesNextUnit: v.boolean(),
  /** Returned rows that may come again. */
  returned: v.array(v.string()),
  /** The next page, where pages are read by number. */
  page: v.nullable(count),
  /** The most rows of one answer. */
  largestPage: count,
  incompleteReason: v.nullable(v.picklist(unprovenReasons)),
  hasDrifted: v.boolean(),
  rows: count,
  reads: count,
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** The state of a walk as JSON data: enough to resume it in another process. */
export type WalkCursor = DeepReadonly<v.InferOutput<typeof stateSchema>>;
export type WalkPart = NonNullable<WalkCursor['part']>;

export function newCursor(windows: readonly TimeWindow[]): WalkCursor {
  return {
    version: 6,
    windows,
    part: null,
    order: 'unknown',
    isOrderProven: false,
    areEndsProven: false,
    grainMs: dayMs,
    unitMs: 0,
    includesNextUnit: false,
    returned: [],
    page: null,
    largestPage: 0,
    incompleteReason: null,
    hasDrifted: false,
    rows: 0,
    reads: 0,
  };
}

/** What an answer shows about the exchange. */
export function withAnswer(
  { grainMs, areEndsProven, reads, largestPage }: WalkCursor,
  { rows, sent }: Answer<unknown>,
): Partial<WalkCursor> {
  const isGrain = (ms: number): boolean =>
    ms <= grainMs && rows.every(({ time }) => time % ms === 0);
  const grain = coarserUnitsMs.toReversed().find(isGrain) ?? 0;
  return {
    grainMs: grain,
    // Rows at whole minutes alone prove less.
    areEndsProven: areEndsProven && grain === grainMs,
    reads: reads + 1,
    largestPage: Math.max(largestPage, sent),
  };
}

/** What this version needs of a cursor of the walk before; its page numbers mean nothing here. */
const olderSchema = v.object({
  version: v.literal(5),
  windows: v.array(windowSchema),
  trial: v.nullable(v.array(windowSchema)),
  task: v.object({ kind: v.picklist(['window', 'emptyAgain', 'second', 'firstAgain', 'instant']) }),
  seen: v.array(v.tuple([epochMs, v.string()])),
  rows: count,
  reads: count,
});

/** Parses a stored cursor; undefined where it is malformed or of a version that cannot be resumed. */
export function parseWalkCursor(value: unknown): WalkCursor | undefined {
  const parsed = v.safeParse(stateSchema, value);
  if (parsed.success) return parsed.output;
  const older = v.safeParse(olderSchema, value);
  if (!older.success) return undefined;
  const { windows, trial, seen, rows, reads } = older.output;
  // The walk before numbered equal records of a page: all of them may have been returned.
  const returned = seen.map(([, id]) => id.split(' ').slice(0, 2).join(' '));
  return {
    ...newCursor(trial ?? windows),
    returned,
    rows,
    reads,
    incompleteReason: 'olderVersion',
  };
}
