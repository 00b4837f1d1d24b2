import { newPages } from './pages.ts';
import { newReverse } from './reversePages.ts';
import type { Frame, WalkState, Window } from './state.ts';

/**
 * The exchange ignores a range's ends: all that is left, as far as it adjoins, is one window, read
 * page after page by number. New rows move those that are newest first to later pages, so that these
 * are read from the first page on; rows that leave move the others to earlier ones.
 */
export function pagesOfAll(state: WalkState, { longestMs }: Frame): WalkState {
  const windows = state.windows.reduceRight<readonly Window[]>(([next, ...later], window) => {
    const isJoined = next?.from === window.to && reach(window, next) <= longestMs;
    if (next && !isJoined) return [window, next, ...later];
    return [next ? { from: window.from, to: next.to } : window, ...later];
  }, []);
  const isReverse = state.order === 'oldestFirst';
  return { ...state, windows, task: isReverse ? newReverse : newPages('endsIgnored') };
}

function reach({ from }: Window, { to }: Window): number {
  return from === null ? 0 : to - from;
}
