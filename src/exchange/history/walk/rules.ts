import { areSame, idsOf, isMissingAny, type Answer, type Row } from './answer.ts';
import type { WalkCursor, WalkPart } from './cursor.ts';

/** How often a proof is tried before the walk goes on with `unknown`. */
export const maxTries = 12;

/** So many rows beside those of the most frequent time do not come in order by chance. */
export const conclusiveRows = 12;

/**
 * Rule 1. The end was reached: a question beyond all rows that were read has an answer without rows. A
 * repeated page, one of known rows and a refusal prove nothing.
 */
export function endIsReached(beyond: Answer<unknown>, isOrdered: boolean): boolean {
  if (beyond.isRefused) return false;
  const isPastQuestion = isOrdered && beyond.outside === beyond.sent;
  return beyond.sent === 0 || isPastQuestion;
}

/** Rule 2. The count agrees: the exchange counts no more rows than were found. */
export function countAgrees({ rows, beside }: WalkPart, count: number | null): boolean {
  return count === null || count <= rows + beside;
}

/** Rule 3. The edges are proven: all rows of a question that ends beside them came again. */
export function edgesAreProven(expected: readonly string[], answer: Answer<unknown>): boolean {
  return expected.length > 0 && !isMissingAny(expected, answer.rows);
}

/**
 * Rule 4. The order is proven: the first rows, asked for alone, leave room in an answer for others, and
 * none came.
 */
export function orderIsProven(top: readonly string[], answer: Answer<unknown>): boolean {
  return areSame(top, idsOf(answer.rows));
}

/**
 * Rule 5. Identity is sound: records are distinguished by id, time and content, and equal ones count as
 * often as one answer shows them. Adds the rows of an answer.
 */
export function withRowsOf<Item>(
  known: ReadonlyMap<string, readonly Row<Item>[]>,
  rows: readonly Row<Item>[],
): Map<string, readonly Row<Item>[]> {
  const shown = Map.groupBy(rows, ({ id }) => id);
  const more = [...shown].filter(([key, equal]) => equal.length > (known.get(key)?.length ?? 0));
  return new Map([...known, ...more]);
}

/** Rule 6. Nothing moved unseen: what was read before the end was proved came again after it. */
export function nothingMoved(before: readonly string[], again: Answer<unknown>): boolean {
  return areSame(before, idsOf(again.rows));
}

/**
 * Rule 7. Depth: an exchange may give only so many rows of one question, and then nothing. It gave more
 * elsewhere, or counts as many.
 */
export function depthIsProven(
  places: number,
  count: number | null,
  { depth }: Pick<WalkCursor, 'depth'>,
): boolean {
  return places < depth || places === count;
}
