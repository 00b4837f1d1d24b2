import { acceptAll, acceptNone, type PageOutcome, type PageReading } from './pageOutcome.ts';
import { observeProvedTotal } from './reportedTotals.ts';
import { observeRowsGone } from './rowOrder.ts';
import {
  withoutCurrentWindow,
  type WalkTask,
  type WalkState,
  type TimeWindow,
} from './walkState.ts';

type Second = Extract<WalkTask, { kind: 'second' }>;
type FirstAgain = Extract<WalkTask, { kind: 'firstAgain' }>;

const maxTries = 12;
/** An exchange that leaves rows out of its pages is not expected to leave out so many in a row. */
export const minConclusiveRows = 4;

/**
 * Returns a first page that may be all, and requests a second of the same length: it begins where the
 * first ended, whatever the page cap, and should be empty.
 */
export function requestSecondPage(state: WalkState, reading: PageReading, tries = 0): PageOutcome {
  const { sent } = reading;
  return acceptAll({ ...state, task: { kind: 'second', sent, size: sent, tries } }, reading);
}

/**
 * If the second page is empty, the next first page is whole; otherwise pages are cut at that length. A
 * short second page may be empty because its rows were left out: unless the reported total agrees, a
 * longer one is requested too.
 */
export function reduceSecondPage(
  state: WalkState,
  task: Second,
  { sent, claimed, isRefused }: PageReading,
): PageOutcome {
  if (isRefused) {
    const known = { refusesSecond: true, isCapKnown: true } as const;
    return acceptNone({ ...state, ...known, task: { kind: 'window' } });
  }
  const isFew = task.sent < minConclusiveRows && claimed !== task.sent;
  if (sent === 0 && task.size !== null && isFew)
    return acceptNone({ ...state, task: { ...task, size: null } });
  const { sent: first, tries } = task;
  if (sent === 0) return acceptNone({ ...state, task: { kind: 'firstAgain', sent: first, tries } });
  const shortestCut = Math.min(task.sent, state.shortestCut ?? task.sent);
  return acceptNone({ ...state, shortestCut, isCapKnown: true, task: { kind: 'window' } });
}

/**
 * A first page without a second one: rows that left before cannot have hidden others. If its length
 * changed, it may be cut there, and the second page is requested again.
 */
export function reduceFirstAgain(
  state: WalkState,
  { sent, tries }: FirstAgain,
  window: TimeWindow,
  reading: PageReading,
): PageOutcome {
  const isLastTry = tries + 1 === maxTries;
  if (reading.sent !== sent && !isLastTry) return requestSecondPage(state, reading, tries + 1);
  const read = withoutCurrentWindow(observeRowsGone(state, window, reading));
  if (reading.sent !== sent) return acceptAll({ ...read, doubt: 'pagesVary' }, reading);
  return acceptAll(observeProvedTotal(read, reading), reading);
}
