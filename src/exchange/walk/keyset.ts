import { leftAfter } from './claims.ts';
import { splitAround } from './instant.ts';
import { isFull, takeAll, takeEarly, type Outcome } from './outcome.ts';
import { isAnyGone, unseen, type Reading } from './reading.ts';
import { confirm } from './secondPage.ts';
import { replaced, type Frame, type WalkState, type Window } from './state.ts';
import { holds } from './window.ts';

const firstRowsKept = 100;

/**
 * Goes on from the last row's time, which is asked again whole: rows that share it may be cut off.
 * What lies before it in the order is read. Where only that time came, and nothing new, what lies
 * behind it is still to be seen.
 */
export function stepOn(
  state: WalkState,
  window: Window,
  reading: Reading,
  last: number,
  { unitOf }: Frame,
): Outcome {
  const isNewestFirst = state.order === 'newestFirst';
  const unit = unitOf(last);
  const rest = isNewestFirst ? { from: window.from, to: unit.to } : { from: last, to: window.to };
  if (rest.from === window.from && rest.to === window.to) {
    if (isFull(reading, state)) return takeEarly(splitAround(state, window, unit), reading);
    if (unseen(reading.rows, state.seen).length > 0) return takeAll(state, reading);
    // Rows that share a time may be cut at the same length again, and so may one behind others.
    if ((reading.sent > 1 || hasUnevenPages(state)) && !state.refusesSecond)
      return confirm(state, reading);
    const behind = isNewestFirst
      ? { from: window.from, to: last }
      : { from: unit.to, to: window.to };
    return takeAll(replaced(withGoneBefore(state, window, behind, reading), [behind]), reading);
  }
  const next = replaced(withGoneBefore(state, window, rest, reading), [rest]);
  const before = { unit: last, sent: reading.sent, left: leftAfter(reading, last) };
  const stepped = { ...next, before };
  return takeAll(state.reads === 0 ? withFirstRows(stepped, window, reading) : stepped, reading);
}

/** Rows behind the last page's last unit show that it was cut at its length. */
export function withCutBefore(state: WalkState, { rows }: Reading): WalkState {
  const { before, shortestCut } = state;
  if (!before || rows.every(({ unit }) => unit === before.unit)) return state;
  return { ...state, shortestCut: Math.min(before.sent, shortestCut ?? before.sent) };
}

function hasUnevenPages({ largestPage, shortestCut }: WalkState): boolean {
  return shortestCut !== null && shortestCut < largestPage;
}

function withGoneBefore(
  state: WalkState,
  window: Window,
  rest: Window,
  reading: Reading,
): WalkState {
  const isShown = (unit: number): boolean => holds(window, unit) && !holds(rest, unit);
  return { ...state, hasDrifted: state.hasDrifted || isAnyGone(state.seen, reading, isShown) };
}

/** Keeps the first rows, without those of the last unit, which may be cut. */
function withFirstRows(state: WalkState, window: Window, { rows }: Reading): WalkState {
  const first = rows.slice(0, firstRowsKept);
  const edge = first.at(-1)?.unit;
  if (edge === undefined) return state;
  const kept = first.filter(({ unit, isWanted }) => isWanted && unit !== edge);
  return { ...state, firstRows: { window, edge, rows: kept.map(({ unit, id }) => [unit, id]) } };
}
