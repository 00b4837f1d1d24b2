import * as v from 'valibot';
import { parseWalkCursor, type WalkCursor } from '../../exchange/walk.ts';
import type { TimeRange } from '../../exchange/walk/history.ts';
import type { ReadDoubt, ReadEnd } from './exportEnd.ts';

/**
 * A record that broke its type, in English, whoever reads the file. `between`: the first and last time
 * of the rows that its answer gave.
 */
export type ListedRecord = {
  readonly path: string;
  readonly problem: string;
  readonly between: readonly [string, string] | null;
};

/** How far an export has come: all that is needed to go on from here. */
export type Progress = {
  /** The time range, as it was frozen at the start. */
  readonly range: TimeRange;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly rows: number;
  /** How long the kept part is that holds these rows. */
  readonly bytes: number;
  readonly reads: number;
  /** Estimated share that is done, 0 to 1. */
  readonly part: number;
  /** Records that broke their type, the first ones listed. One that was read twice counts twice: it has no id. */
  readonly badRecords: { readonly atMost: number; readonly listed: readonly ListedRecord[] };
  /** How many of the rows contradict which parameter: the exchange did not heed it. */
  readonly unmatched: Readonly<Record<string, number>>;
  /** Undefined before the first rows. */
  readonly cursor: WalkCursor | undefined;
  /** How the reading ended, once every row is there. */
  readonly end: ReadEnd | undefined;
};

/** How far an export has come, and when that was saved. */
export type Saved = { readonly progress: Progress; readonly savedAt: number };

export const mostListed = 1000;

/** Nothing of an export yet. */
export function noProgress(range: TimeRange, startedAt: number): Progress {
  return {
    range,
    startedAt,
    rows: 0,
    bytes: 0,
    reads: 0,
    part: 0,
    badRecords: { atMost: 0, listed: [] },
    unmatched: {},
    cursor: undefined,
    end: undefined,
  };
}

/** Every one of them: a state with another could not be read again. */
const doubts: Readonly<Record<ReadDoubt, ReadDoubt>> = {
  readsUsedUp: 'readsUsedUp',
  endsIgnored: 'endsIgnored',
  unreadablePage: 'unreadablePage',
  pagesRepeat: 'pagesRepeat',
  pagesVary: 'pagesVary',
  pageRefused: 'pageRefused',
  crowdedInstant: 'crowdedInstant',
  orderBroke: 'orderBroke',
  filterIgnored: 'filterIgnored',
  listsUndecided: 'listsUndecided',
  datesUndecided: 'datesUndecided',
  zoneUnknown: 'zoneUnknown',
};
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const instant = v.pipe(v.number(), v.integer());
const listedRecord = v.object({
  path: v.string(),
  problem: v.string(),
  between: v.nullable(v.tuple([v.string(), v.string()])),
});
const progressSchema = v.object({
  range: v.object({ from: v.nullable(instant), to: instant }),
  startedAt: instant,
  rows: count,
  bytes: count,
  reads: count,
  part: v.number(),
  badRecords: v.object({
    atMost: count,
    listed: v.array(listedRecord),
  }),
  unmatched: v.record(v.string(), count),
  cursor: v.unknown(),
  end: v.nullable(
    v.object({
      completeness: v.picklist(['complete', 'drifted', 'unknown']),
      reason: v.nullable(v.enum(doubts)),
    }),
  ),
});
const savedSchema = v.object({
  v: v.literal(1),
  savedAt: instant,
  saved: progressSchema,
});

export function savedText({ progress, savedAt }: Saved): string {
  const { range, cursor = null, end = null, ...rest } = progress;
  const written = { from: range.from ?? null, to: range.to };
  return JSON.stringify({ v: 1, savedAt, saved: { ...rest, range: written, cursor, end } });
}

/** What `savedText` wrote; undefined for anything else. */
export function parseSaved(text: string): Saved | undefined {
  const parsed = v.safeParse(savedSchema, jsonOf(text));
  if (!parsed.success) return undefined;
  const { savedAt, saved } = parsed.output;
  const { range, cursor: written, end, ...rest } = saved;
  const cursor = written === null ? undefined : parseWalkCursor(written);
  if (written !== null && cursor === undefined) return undefined;
  const progress = {
    ...rest,
    range: { from: range.from ?? undefined, to: range.to },
    cursor,
    end: end ?? undefined,
  };
  return { progress, savedAt };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
