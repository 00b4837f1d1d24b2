import { bisect } from './bisection.ts';
import { pagesOfAll } from './endsIgnored.ts';
import { absorbInstant, newInstant, splitAround } from './instant.ts';
import { stepOn } from './keyset.ts';
import { enoughBits, evidenceOf, orderOf } from './order.ts';
import { isFull, takeAll, takeNone, type Outcome } from './outcome.ts';
import { absorbPages, newPages } from './pages.ts';
import { isAnyGone, type Reading, type Row } from './reading.ts';
import { closed, type Frame, type Order, type WalkState, type Window } from './state.ts';
import { holds, isOneUnit } from './window.ts';

/** The first page of a window: it is the whole window, or tells how to go on in it. */
export function absorbFirstPage(
  state: WalkState,
  window: Window,
  reading: Reading,
  frame: Frame,
): Outcome {
  const { rows, outside } = reading;
  if (contradicts(state.order, rows)) return takeNone(withoutOrder(state));
  if (!isFull(reading, state)) return takeAll(closed(withGone(state, window, reading)), reading);
  if (isOneUnit(window, frame.unitMs)) return absorbInstant(state, newInstant, window, reading);
  const last = rows.at(-1)?.unit;
  const isIgnored = outside > rows.length;
  // What pages by number give is not remembered: what is on trial could not be read again after them.
  if ((isIgnored || last === undefined) && state.trial) return takeNone(withoutOrder(state));
  if (isIgnored) return takeNone(pagesOfAll(state, frame));
  if (last === undefined) return absorbPages(state, newPages('unreadablePage'), reading);
  const learned = learn(state, rows);
  if (mayBeWhole(learned, reading, frame))
    return takeAll({ ...state, task: { kind: 'second' } }, reading);
  switch (learned.order) {
    case 'newestFirst':
    case 'oldestFirst':
      return stepOn(learned, window, reading, last, frame);
    case 'unknown':
      return takeNone(splitAround(state, window, last, frame.unitMs));
    case 'none':
      return takeNone(bisect(learned, window, frame.unitMs));
    default:
      return learned.order satisfies never;
  }
}

/** A second page was asked for only to see that there is none: then the next first page is whole. */
export function absorbSecondPage(state: WalkState, { sent }: Reading): Outcome {
  if (sent === 0) return takeNone({ ...state, task: { kind: 'firstAgain' } });
  return takeNone({ ...state, isCapKnown: true, task: { kind: 'window' } });
}

/** A first page after which there is no second: rows that left before cannot have hidden others. */
export function absorbWholePage(state: WalkState, window: Window, reading: Reading): Outcome {
  return takeAll(closed(withGone(state, window, reading)), reading);
}

/**
 * The order was an accident. While it is on trial all that was read since can be read again, since
 * what was given then is still remembered; later, rows may have been missed.
 */
export function withoutOrder(state: WalkState): WalkState {
  const { windows, trial, doubt } = state;
  return {
    ...state,
    order: 'none',
    windows: trial ?? windows,
    trial: null,
    task: { kind: 'window' },
    firstRows: null,
    doubt: trial ? doubt : 'orderBroke',
  };
}

function contradicts(order: Order, rows: readonly Row[]): boolean {
  if (order === 'unknown' || order === 'none') return false;
  const found = orderOf(rows);
  return found !== 'unknown' && found !== order;
}

/** In a window that was read in part before, all that was seen must come again. */
function withGone(state: WalkState, window: Window, reading: Reading): WalkState {
  const isGone = isAnyGone(state.seen, reading, (unit) => holds(window, unit));
  return { ...withEvidence(state, reading.rows), hasDrifted: state.hasDrifted || isGone };
}

function learn(state: WalkState, rows: readonly Row[]): WalkState {
  if (state.order !== 'unknown') return withEvidence(state, rows);
  const order = orderOf(rows);
  const isMonotone = order === 'newestFirst' || order === 'oldestFirst';
  return withEvidence({ ...state, order, trial: isMonotone ? state.windows : null }, rows);
}

function withEvidence(state: WalkState, rows: readonly Row[]): WalkState {
  if (!state.trial) return state;
  const evidence = state.evidence + evidenceOf(rows);
  return { ...state, evidence, trial: evidence >= enoughBits ? null : state.trial };
}

/** A short page may be all, or cut at a cap that is not known yet; an order that is sure tells as cheaply. */
function mayBeWhole({ isCapKnown, order, trial }: WalkState, { sent }: Reading, { size }: Frame) {
  const isOrderSure = (order === 'newestFirst' || order === 'oldestFirst') && !trial;
  return !isCapKnown && sent < size && !isOrderSure;
}
