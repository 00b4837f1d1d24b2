import { areSame, hasAll, type Answer, type Row } from './answer.ts';
import type { WalkCursor, WalkPart } from './cursor.ts';

/** How often pages are read again until they agree, before the walk goes on with `unknown`. */
export const maxTries = 12;

/** So many rows beside those of the most frequent time do not come in order by chance. */
export const conclusiveRows = 12;

/**
 * Rule 1. The end was reached: a question that lies right beyond every row that was read is answered
 * without rows. A short page may be cut, and a refusal says nothing.
 */
export function endIsReached(beyond: Answer<unknown>): boolean {
  return !beyond.isRefused && beyond.sent === 0;
}

/** Rule 2. The count agrees: the exchange counts no more rows than were found. */
export function countAgrees({ rows, beside }: WalkPart, count: number | null): boolean {
  return count === null || count <= rows + beside;
}

/** Rule 3. The edges are proven: all rows of a question that ends beside them came again. */
export function edgesAreProven(
  expected: readonly Row<unknown>[],
  answer: Answer<unknown>,
): boolean {
  return expected.length > 0 && hasAll(answer.rows, expected);
}

/**
 * Rule 4. The order is proven: the first rows, asked for alone, leave room in an answer for others, and
 * none came.
 */
export function orderIsProven(
  top: readonly Row<unknown>[],
  shown: readonly Row<unknown>[],
): boolean {
  return areSame(top, shown);
}

/** Rows by id, each as often as it counts. */
export type DistinctRows<Item> = ReadonlyMap<string, readonly Row<Item>[]>;

/**
 * Rule 5. Identity is sound: records are distinguished by id, time and content, and equal ones count as
 * often as one answer shows them. Adds the rows of answers.
 */
export function withRowsOf<Item>(
  known: DistinctRows<Item>,
  answers: readonly Answer<Item>[],
): DistinctRows<Item> {
  const rows = new Map(known);
  for (const answer of answers)
    for (const [id, equal] of Map.groupBy(answer.rows, (row) => row.id))
      if (equal.length > (rows.get(id)?.length ?? 0)) rows.set(id, equal);
  return rows;
}

/** Rule 6. Nothing moved unseen: rows that were read keep their places on pages of another size. */
export function nothingMoved(known: readonly Row<unknown>[], again: Answer<unknown>): boolean {
  return areSame(known, again.rows.slice(0, known.length));
}

/**
 * Rule 7. Depth: an exchange may give only so many rows of one question, and then nothing. It gave more
 * elsewhere, or counts as many. A count that differs from page to page counts something else.
 */
export function depthIsProven(
  places: number,
  count: number | null,
  { depth, isCountSteady }: Pick<WalkCursor, 'depth' | 'isCountSteady'>,
): boolean {
  return places < depth || (isCountSteady && places === count);
}
