import { splitAround } from './instant.ts';
import { takeAll, takeNone, type Outcome } from './outcome.ts';
import { isAnyGone, type Reading } from './reading.ts';
import { replaced, type Frame, type WalkState, type Window } from './state.ts';
import { holds } from './window.ts';

const firstRowsKept = 100;

/**
 * Goes on from the last row's time, which is asked again whole: rows that share it may be cut off.
 * What lies before it in the order is read.
 */
export function stepOn(
  state: WalkState,
  window: Window,
  reading: Reading,
  last: number,
  { unitMs }: Frame,
): Outcome {
  const isNewestFirst = state.order === 'newestFirst';
  const rest = isNewestFirst
    ? { from: window.from, to: last + unitMs }
    : { from: last, to: window.to };
  if (rest.from === window.from && rest.to === window.to)
    return takeNone(splitAround(state, window, last, unitMs));
  const isGone = isAnyGone(
    state.seen,
    reading,
    (unit) => holds(window, unit) && !holds(rest, unit),
  );
  const next = replaced({ ...state, hasDrifted: state.hasDrifted || isGone }, [rest]);
  return takeAll(state.reads === 0 ? withFirstRows(next, window, reading) : next, reading);
}

/** Keeps the first rows, without those of the last unit, which may be cut. */
function withFirstRows(state: WalkState, window: Window, { rows }: Reading): WalkState {
  const first = rows.slice(0, firstRowsKept);
  const edge = first.at(-1)?.unit;
  if (edge === undefined) return state;
  const kept = first.filter(({ unit, isWanted }) => isWanted && unit !== edge);
  return { ...state, firstRows: { window, edge, rows: kept.map(({ unit, id }) => [unit, id]) } };
}
