import { settled } from './absorb.ts';
import type { Frame, WalkState, Window } from './state.ts';
import { bounded, sliced } from './window.ts';

/**
 * A walk that was interrupted, as it goes on: how long a range may be asked at once may have become
 * known meanwhile. What was read of a window that is too long now is kept; it is read anew in slices.
 */
export function goneOn(state: WalkState, frame: Frame): WalkState {
  const { task, windows, trial, firstRows } = state;
  // What pages by number gave is not remembered: after slices it would be given twice.
  if (frame.longestMs === Infinity || task.kind === 'pages' || task.kind === 'reverse')
    return state;
  const isLong = (window: Window): boolean => sliced(bounded([window], frame), frame).length > 1;
  const known: WalkState = {
    ...state,
    windows: bounded(windows, frame),
    trial: trial && bounded(trial, frame),
    firstRows: firstRows && isLong(firstRows.window) ? null : firstRows,
  };
  const asked = task.kind === 'endCheck' ? firstRows?.window : windows.at(-1);
  if (!asked || !isLong(asked)) return known;
  return settled({ ...known, task: { kind: 'window' }, before: null }, frame);
}
