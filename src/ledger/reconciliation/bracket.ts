import type { Interval } from '../../base/interval.ts';
import { postingDelayMs, type Checkpoint } from '../ledger.ts';

/** How old the figures of an answer may be: an exchange may answer from a cache or a replica. */
const staleAnswerMs = 3000;

/** With more rows inside of a bracket, there are too many splits to try. */
const mostBracketRows = 12;

/**
 * The times of rows that may be in the figures of a checkpoint or not: from its request to its answer,
 * widened by the error of the clock, and up to `to` if they were posted late. Rows before it are in.
 */
export type Bracket = Interval & { readonly answeredBy: number };

export function bracketOf({ sentAt, answeredAt, clockErrorMs }: Checkpoint): Bracket {
  return bracketBetween(sentAt - clockErrorMs, answeredAt + clockErrorMs);
}

/** Both ends may be the time of a row that is in the figures or not. */
export function bracketBetween(first: number, last: number): Bracket {
  return { from: first, answeredBy: last + 1, to: last + 1 + postingDelayMs };
}

/** The same if the answer may have been old when it was given. */
export function staleBracket(bracket: Bracket): Bracket {
  return { ...bracket, from: bracket.from - staleAnswerMs };
}

/** Figures without the rows of a bracket that they have, for every split of them; null if they are too many. */
export function withoutBracketRows(
  possible: readonly bigint[],
  amounts: readonly bigint[],
): ReadonlySet<bigint> | null {
  if (amounts.length > mostBracketRows) return null;
  const figures = new Set(possible);
  for (const amount of amounts) for (const each of [...figures]) figures.add(each - amount);
  return figures;
}
