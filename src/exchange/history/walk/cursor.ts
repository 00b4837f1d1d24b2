import * as v from 'valibot';
import type { DeepReadonly } from '../../../base/deepReadonly.ts';
import type { Interval } from '../../../base/interval.ts';
import { conventionValues } from '../apiConventions.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const zero = v.optional(count, 0);
const no = v.optional(v.boolean(), false);
const epochMs = v.pipe(v.number(), v.safeInteger());
const windowSchema = v.object({ from: epochMs, to: epochMs });

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
  'spanUnproven',
] as const;
export type UnprovenReason = (typeof unprovenReasons)[number];

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
  /** The time of the last row that was found in it, and of the oldest and the newest. */
  last: v.optional(v.nullable(epochMs), null),
  oldest: v.optional(v.nullable(epochMs), null),
  newest: v.optional(v.nullable(epochMs), null),
  /** Whether only its counts show that the exchange gave all rows of a question. */
  isDepthCounted: no,
});

/**
 * The defaults make a new state. A stored one has every field: a new field needs a new `version` once this was released.
 */
const stateSchema = v.object({
  version: v.literal(1),
  /** Left to read; the last one is next. */
  windows: v.array(windowSchema),
  part: v.optional(v.nullable(partSchema), null),
  order: v.optional(v.picklist(['unknown', ...conventionValues.sort]), 'unknown'),
  isOrderProven: no,
  /** Whether rows proved how the exchange applies the ends of a question, or nothing in this unit can. */
  areEndsProven: no,
  /** Windows have whole units of this length at least. */
  unitMs: zero,
  /** The most rows of one answer. */
  largestPage: zero,
  /** How far a row was before the end of its question at most, and after its start. */
  beforeEndMs: zero,
  afterStartMs: zero,
  /** Whether a row came that was beyond the end of its question. */
  hasStrayRows: no,
  /** Whether it was asked for what an exchange may have cut from its longest question. */
  isSpanChecked: no,
  incompleteReason: v.optional(v.nullable(v.picklist(unprovenReasons)), null),
  hasDrifted: no,
  /** How many records could not be read; one on several pages is counted again. */
  bad: zero,
  rows: zero,
  reads: zero,
});

/** The state of a walk as JSON data: enough to resume it in another process. */
export type WalkCursor = DeepReadonly<v.InferOutput<typeof stateSchema>>;
export type WalkPart = NonNullable<WalkCursor['part']>;

export function newCursor(windows: readonly Interval[]): WalkCursor {
  return v.parse(stateSchema, { version: 1, windows });
}

export function newPart(window: Interval): WalkPart {
  return v.parse(partSchema, { window, count: null, rows: 0 });
}

/** Parses a stored cursor; undefined if it is malformed or of another version. */
export function parseWalkCursor(value: unknown): WalkCursor | undefined {
  const parsed = v.safeParse(v.required(stateSchema), value);
  return parsed.success ? parsed.output : undefined;
}
