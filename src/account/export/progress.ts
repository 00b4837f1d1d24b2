import * as v from 'valibot';
import type { Undecided } from '../../exchange/dialect/historyPage.ts';
import {
  parseWalkCursor,
  type WalkCursor,
  type WalkDoubt,
  type WalkEnd,
} from '../../exchange/walk.ts';
import type { TimeRange } from '../../exchange/walk/history.ts';

/** Why it is not known whether an export has every row: of the walk, or of how it was asked. */
export type ExportDoubt = WalkDoubt | Undecided;

/** How the walk judged itself, and why where it is not complete. */
export type ExportEnd = Pick<WalkEnd, 'completeness'> & { readonly reason: ExportDoubt | null };

/** A record that broke its type, as it stands in a file: in English, whoever reads it. */
export type ListedRecord = { readonly path: string; readonly problem: string };

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
  /** Undefined before the first rows. */
  readonly cursor: WalkCursor | undefined;
  /** How the walk ended, once every row is there. */
  readonly end: ExportEnd | undefined;
};

/** Who holds an export and when it was last saved. */
export type Saved = {
  readonly progress: Progress;
  readonly savedAt: number;
  /** The process that works on it; null when it was put down. */
  readonly pid: number | null;
};

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
    cursor: undefined,
    end: undefined,
  };
}

const doubts = [
  'readsUsedUp',
  'endsIgnored',
  'unreadablePage',
  'pagesRepeat',
  'pagesVary',
  'pageRefused',
  'filterIgnored',
  'crowdedInstant',
  'orderBroke',
  'listsUndecided',
  'datesUndecided',
  'zoneUnknown',
] as const satisfies readonly ExportDoubt[];
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const instant = v.pipe(v.number(), v.integer());
const progressSchema = v.object({
  range: v.object({ from: v.nullable(instant), to: instant }),
  startedAt: instant,
  rows: count,
  bytes: count,
  reads: count,
  part: v.number(),
  badRecords: v.object({
    atMost: count,
    listed: v.array(v.object({ path: v.string(), problem: v.string() })),
  }),
  cursor: v.unknown(),
  end: v.nullable(
    v.object({
      completeness: v.picklist(['complete', 'drifted', 'unknown']),
      reason: v.nullable(v.picklist(doubts)),
    }),
  ),
});
const savedSchema = v.object({
  v: v.literal(1),
  savedAt: instant,
  pid: v.nullable(count),
  saved: progressSchema,
});

export function savedText({ progress, savedAt, pid }: Saved): string {
  const { range, cursor = null, end = null, ...rest } = progress;
  const written = { from: range.from ?? null, to: range.to };
  return JSON.stringify({ v: 1, savedAt, pid, saved: { ...rest, range: written, cursor, end } });
}

/** What `savedText` wrote; undefined for anything else. */
export function parseSaved(text: string): Saved | undefined {
  const parsed = v.safeParse(savedSchema, jsonOf(text));
  if (!parsed.success) return undefined;
  const { savedAt, pid, saved } = parsed.output;
  const { range, cursor: written, end, ...rest } = saved;
  const cursor = written === null ? undefined : parseWalkCursor(written);
  if (written !== null && cursor === undefined) return undefined;
  const progress = {
    ...rest,
    range: { from: range.from ?? undefined, to: range.to },
    cursor,
    end: end ?? undefined,
  };
  return { progress, savedAt, pid };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
