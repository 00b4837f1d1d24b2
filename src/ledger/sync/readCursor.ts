import * as v from 'valibot';
import type { ApiConventions } from '../../exchange/conventions/apiConventions.ts';
import { parseWalkCursor, type WalkCursor } from '../../exchange/history/walk/cursor.ts';

/** How far the read of a walk has come, as it is stored with its rows. */
export type ReadCursor = {
  readonly walk: WalkCursor;
  /** Requests so far. */
  readonly reads: number;
  /** Records so far that broke their type and are missing. */
  readonly badRecords: number;
  /** A walk continues only in the units of time that it began with. */
  readonly dates: ApiConventions['dates'];
};

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const schema = v.object({ walk: v.unknown(), reads: count, badRecords: count, dates: v.string() });

/** Parses a stored cursor; undefined if there is none, or if the walk must begin again. */
export function parseReadCursor(
  stored: unknown,
  { dates }: Pick<ApiConventions, 'dates'>,
): ReadCursor | undefined {
  const parsed = v.safeParse(schema, stored);
  if (!parsed.success || parsed.output.dates !== dates) return undefined;
  const walk = parseWalkCursor(parsed.output.walk);
  return walk && { ...parsed.output, walk, dates };
}
