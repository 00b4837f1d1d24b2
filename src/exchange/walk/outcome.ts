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

/** Gives the rows now, although the same will come again: they stand for it that they must. */
export function takeEarly(state: WalkState, { rows }: Reading): Outcome {
  return { state, takes: rows, tellsBad: false };
}

export function takeNone(state: WalkState): Outcome {
  return { state, takes: [], tellsBad: false };
}

/** Whether a page is as long as one that was cut, or as any: a shorter one may be cut as well. */
export function isFull({ sent }: Reading, { largestPage, shortestCut }: WalkState): boolean {
  return sent > 0 && sent >= Math.min(largestPage, shortestCut ?? largestPage);
}
