import { isFull, type Outcome } from './outcome.ts';
import { unseen, type Reading } from './reading.ts';
import { closed, type Frame, type Seen, type Task, type WalkState, type Window } from './state.ts';

const pagesRemembered = 3;

type Pages = Extract<Task, { kind: 'pages' }>;

export function newPages(reason: Pages['reason']): Pages {
  return { kind: 'pages', page: 0, recent: [], found: false, reason };
}

/** The exchange ignores a range's ends: all that is left, as far as it adjoins, is one window. */
export function pagesOfAll(state: WalkState, { longestMs }: Frame): WalkState {
  const windows = state.windows.reduceRight<readonly Window[]>(([next, ...later], window) => {
    const isJoined = next?.from === window.to && reach(window, next) <= longestMs;
    if (next && !isJoined) return [window, next, ...later];
    return [next ? { from: window.from, to: next.to } : window, ...later];
  }, []);
  return { ...state, windows, task: newPages('endsIgnored') };
}

function reach({ from }: Window, { to }: Window): number {
  return from === null ? 0 : to - from;
}

/**
 * The last resort, where a window cannot be made smaller: page after page by number. More than one
 * page cannot be proved whole, since rows may move between them unseen.
 */
export function absorbPages(state: WalkState, task: Pages, reading: Reading): Outcome {
  const { rows, sent } = reading;
  const ids = rows.map(({ id }) => id);
  const isRepeated = ids.length > 0 && ids.join('\n') === task.recent.slice(-ids.length).join('\n');
  const isPast = task.found && ids.length === 0 && isOrdered(state);
  const isMore = task.page > 0 && sent > 0;
  const doubt = isRepeated ? 'pagesRepeat' : isMore ? task.reason : state.doubt;
  const read: Pages = {
    ...task,
    page: task.page + 1,
    recent: [...task.recent, ...ids].slice(-pagesRemembered * Math.max(sent, state.largestPage)),
    found: task.found || ids.length > 0,
  };
  const isEnd = !isFull(reading, state) || isRepeated || isPast;
  const next: WalkState = isEnd ? closed(state) : { ...state, task: read };
  const known = task.recent.map((id): Seen => [0, id]);
  return { state: { ...next, doubt }, takes: unseen(rows, known), tellsBad: true };
}

function isOrdered({ order }: WalkState): boolean {
  return order === 'newestFirst' || order === 'oldestFirst';
}
