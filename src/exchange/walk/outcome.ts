import type { Reading, Row } from './reading.ts';
import type { WalkState } from './state.ts';

/** What an answer leads to: the rows of it that count, unless seen before, and what is known now. */
export type Outcome = {
  readonly state: WalkState;
  readonly takes: readonly Row[];
  /** Whether its bad records are told now: not when the same rows come again anyway. */
  readonly tellsBad: boolean;
};

export function takeAll(state: WalkState, { rows }: Reading): Outcome {
  return { state, takes: rows, tellsBad: true };
}

export function takeNone(state: WalkState): Outcome {
  return { state, takes: [], tellsBad: false };
}

/** Whether there may be more on a next page: no page is known to have held more rows. */
export function isFull({ sent }: Reading, { largestPage }: WalkState): boolean {
  return sent > 0 && sent >= largestPage;
}
