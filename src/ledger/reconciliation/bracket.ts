import { sum, type NumberText } from '../../base/decimal.ts';
import type { Checkpoint, Interval } from '../ledger.ts';

/** A balance may show a row up to so long before the time that the row has. */
export const postingDelayMs = 5000;

/** With more rows inside of a bracket, there are too many splits to try. */
const mostBracketRows = 12;

/**
 * The times of rows that may be in the figures of a checkpoint or not: from its request to its answer,
 * widened by the error of the clock and by the posting delay. Rows before it are in, rows after it are not.
 */
export function bracketOf({ sentAt, answeredAt, clockErrorMs }: Checkpoint): Interval {
  return {
    from: sentAt - clockErrorMs,
    to: answeredAt + clockErrorMs + postingDelayMs + 1,
  };
}

/** What the rows of a bracket add to the figures, for every split of them; null if they are too many. */
export function splitSums(amounts: readonly NumberText[]): ReadonlySet<NumberText> | null {
  if (amounts.length > mostBracketRows) return null;
  const sums = new Set(['0']);
  for (const amount of amounts) for (const each of [...sums]) sums.add(sum([each, amount]));
  return sums;
}
