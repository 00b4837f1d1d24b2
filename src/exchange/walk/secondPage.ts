import { withClaimProved } from './claims.ts';
import { withGone } from './order.ts';
import { takeAll, takeNone, type Outcome } from './outcome.ts';
import type { Reading } from './reading.ts';
import { closed, type Task, type WalkState, type Window } from './state.ts';

type Second = Extract<Task, { kind: 'second' }>;
type FirstAgain = Extract<Task, { kind: 'firstAgain' }>;

const mostTries = 12;
/** An exchange that leaves rows out of its pages does not leave out as many in a row. */
export const leastTelling = 4;

/**
 * Takes a first page that may be all, and asks for a second of its length, which begins where it
 * ended, whatever the exchange cuts, only to see that there is none.
 */
export function confirm(state: WalkState, reading: Reading, tries = 0): Outcome {
  const { sent } = reading;
  return takeAll({ ...state, task: { kind: 'second', sent, size: sent, tries } }, reading);
}

/**
 * Where there is no second page the next first page is whole; else a page is cut at that length. The
 * second page may be so short that all of its rows are left out: unless the exchange counts no more, a
 * longer one is asked for as well.
 */
export function absorbSecondPage(
  state: WalkState,
  task: Second,
  { sent, claimed, isRefused }: Reading,
): Outcome {
  if (isRefused) {
    const known = { refusesSecond: true, isCapKnown: true } as const;
    return takeNone({ ...state, ...known, task: { kind: 'window' } });
  }
  const isFew = task.sent < leastTelling && claimed !== task.sent;
  if (sent === 0 && task.size !== null && isFew)
    return takeNone({ ...state, task: { ...task, size: null } });
  const { sent: first, tries } = task;
  if (sent === 0) return takeNone({ ...state, task: { kind: 'firstAgain', sent: first, tries } });
  const shortestCut = Math.min(task.sent, state.shortestCut ?? task.sent);
  return takeNone({ ...state, shortestCut, isCapKnown: true, task: { kind: 'window' } });
}

/**
 * A first page after which there is no second: rows that left before cannot have hidden others. One
 * of another length than before may be cut at it, and is asked for again.
 */
export function absorbFirstAgain(
  state: WalkState,
  { sent, tries }: FirstAgain,
  window: Window,
  reading: Reading,
): Outcome {
  const isLastTry = tries + 1 === mostTries;
  if (reading.sent !== sent && !isLastTry) return confirm(state, reading, tries + 1);
  const read = closed(withGone(state, window, reading));
  if (reading.sent !== sent) return takeAll({ ...read, doubt: 'pagesVary' }, reading);
  return takeAll(withClaimProved(read, reading), reading);
}
