import { closed, replaced, type Frame, type WalkState, type Window } from './state.ts';
import { halves } from './window.ts';

/** Where rows have no order a window is halved until each part fits one page. */
export function bisect(state: WalkState, window: Window, { unitOf }: Frame): WalkState {
  const parts = halves(window, unitOf);
  if (parts) return replaced(state, parts);
  // Full of rows from before 1970: no time of this interface.
  return { ...closed(state), doubt: 'unreadablePage' };
}
