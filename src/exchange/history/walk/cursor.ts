import * as v from 'valibot';
import type { TimeWindow } from './timeWindow.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const zero = v.optional(count, 0);
const no = v.optional(v.boolean(), false);
const epochMs = v.pipe(v.number(), v.safeInteger());
const windowSchema = v.object({ from: v.nullable(epochMs), to: epochMs });

/** Stored names: why rows may be missing; docs/exports.md explains each. */
const reasonSchema = v.picklist([
  'endUnproven',
  'countDisagrees',
  'edgesUnproven',
  'orderUnproven',
  'movedUnseen',
  'depthUnproven',
  'endsIgnored',
  'filterIgnored',
  'olderVersion',
]);
export type UnprovenReason = v.InferOutput<typeof reasonSchema>;

/** A part of the range that one question covers. */
const partSchema = v.object({
  window: windowSchema,
  /** What the exchange counted at its start, and how many rows were found in it and on its two sides. */
  count: v.nullable(count),
  rows: count,
  before: zero,
  after: zero,
  /** How many records could not be read; one on several pages is counted again. */
  bad: zero,
  /** The time of the last row that was found in it. */
  last: v.optional(v.nullable(epochMs), null),
  /** Whether only its counts show that the exchange gave all rows of a question. */
  isDepthCounted: no,
});

/**
 * The defaults make a new state. A stored one has every field: a new field needs a new `version`, and a
 * parser of the one before.
 */
const stateSchema = v.object({
  version: v.literal(6),
  /** Left to read; the last one is next. */
  windows: v.array(windowSchema),
  part: v.optional(v.nullable(partSchema), null),
  order: v.optional(v.picklist(['unknown', 'newestFirst', 'oldestFirst', 'none']), 'unknown'),
  isOrderProven: no,
  /** Whether rows proved how the exchange applies the ends of a question, or nothing in this unit can. */
  areEndsProven: no,
  /** Windows have whole units of this length at least. */
  unitMs: zero,
  /** Returned rows that the exchange may return again. */
  returned: v.optional(v.array(v.string()), []),
  /** The most rows of one answer. */
  largestPage: zero,
  incompleteReason: v.optional(v.nullable(reasonSchema), null),
  hasDrifted: no,
  rows: zero,
  reads: zero,
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** The state of a walk as JSON data: enough to resume it in another process. */
export type WalkCursor = DeepReadonly<v.InferOutput<typeof stateSchema>>;
export type WalkPart = NonNullable<WalkCursor['part']>;

export function newCursor(windows: readonly TimeWindow[]): WalkCursor {
  return v.parse(stateSchema, { version: 6, windows });
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

/** An earlier version left the start of an open range to the exchange, which may answer only the last days. */
function withoutOpenStart(cursor: WalkCursor): WalkCursor {
  const isOpen = cursor.windows.some(({ from }) => from === null);
  return isOpen
    ? { ...cursor, incompleteReason: cursor.incompleteReason ?? 'olderVersion' }
    : cursor;
}

/** Parses a stored cursor; undefined if it is malformed or of a version that cannot be resumed. */
export function parseWalkCursor(value: unknown): WalkCursor | undefined {
  // A page number of an earlier build means nothing here.
  if (v.is(v.object({ page: v.number() }), value)) return undefined;
  const parsed = v.safeParse(v.required(stateSchema), value);
  if (parsed.success) return withoutOpenStart(parsed.output);
  const older = v.safeParse(olderSchema, value);
  if (!older.success) return undefined;
  const { windows, trial, seen, rows, reads } = older.output;
  // The walk before numbered equal records of a page: all of them may have been returned.
  const returned = seen.map(([, id]) => id.split(' ').slice(0, 2).join(' '));
  const incompleteReason = 'olderVersion';
  return { ...newCursor(trial ?? windows), returned, rows, reads, incompleteReason };
}
