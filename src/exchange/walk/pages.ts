import { isFull, takeAll, type Outcome } from './outcome.ts';
import type { Reading } from './reading.ts';
import { closed, type Frame, type Task, type WalkState, type Window } from './state.ts';

type Pages = Extract<Task, { kind: 'pages' }>;

export function newPages(reason: Pages['reason']): Pages {
  return { kind: 'pages', page: 0, last: [], found: false, reason };
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
  const last = reading.rows.map(({ id }) => id);
  const isRepeated = last.length > 0 && last.join('\n') === task.last.join('\n');
  const isPast = task.found && last.length === 0 && isOrdered(state);
  const isMore = task.page > 0 && reading.sent > 0;
  const doubt = isRepeated ? 'pagesRepeat' : isMore ? task.reason : state.doubt;
  const found = task.found || last.length > 0;
  const next =
    !isFull(reading, state) || isRepeated || isPast
      ? closed(state)
      : { ...state, task: { ...task, page: task.page + 1, last, found } };
  return takeAll({ ...next, doubt }, reading);
}

function isOrdered({ order }: WalkState): boolean {
  return order === 'newestFirst' || order === 'oldestFirst';
}
