import { isFull, takeNone, type Outcome } from './outcome.ts';
import { newPages, recentWith } from './pages.ts';
import { unseen, type Reading } from './reading.ts';
import { closed, type Seen, type Task, type WalkState } from './state.ts';

type Reverse = Extract<Task, { kind: 'reverse' }>;

/** Nobody has as many pages: the exchange gives some page for any number. */
const tooFar = 2 ** 30;
export const newReverse: Reverse = {
  ...{ kind: 'reverse', page: 1, low: 0, high: null },
  ...{ isBack: false, recent: [] },
};

/** Pages by number from the last to the first, once it is known which is the last. */
export function absorbReverse(state: WalkState, task: Reverse, reading: Reading): Outcome {
  return task.isBack ? goBack(state, task, reading) : takeNone(findLast(state, task, reading));
}

/** Doubles the page until there is none, then halves: `low` has rows, `high` has none. */
function findLast(state: WalkState, task: Reverse, reading: Reading): WalkState {
  const { page } = task;
  if (page >= tooFar) return { ...state, task: newPages('endsIgnored') };
  const low = reading.sent > 0 ? page : task.low;
  const end = isFull(reading, state) ? task.high : page + 1;
  const high = reading.sent > 0 ? end : page;
  if (high === null) return { ...state, task: { ...task, low, page: page * 2 } };
  const isBack = high - low === 1;
  const doubt = isBack && low > 0 ? 'endsIgnored' : state.doubt;
  const next = isBack ? low : Math.floor((low + high) / 2);
  return { ...state, doubt, task: { ...task, low, high, page: next, isBack } };
}

function goBack(state: WalkState, task: Reverse, reading: Reading): Outcome {
  const recent = recentWith(task.recent, reading, state);
  const next: WalkState =
    task.page === 0 ? closed(state) : { ...state, task: { ...task, page: task.page - 1, recent } };
  const known = task.recent.map((id): Seen => [0, id]);
  return { state: next, takes: unseen(reading.rows, known), tellsBad: true };
}
