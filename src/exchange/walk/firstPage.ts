import { bisect } from './bisection.ts';
import { isCountedWhole, isOddlyEmpty, withClaimJudged, withEmptyClaimed } from './claims.ts';
import { pagesOfAll } from './endsIgnored.ts';
import { absorbInstant, newInstant, splitAround } from './instant.ts';
import { stepOn, withCutBefore } from './keyset.ts';
import { contradicts, learn, withGone, withoutOrder } from './order.ts';
import { isFull, takeAll, takeEarly, takeNone, type Outcome } from './outcome.ts';
import { absorbPages, newPages } from './pages.ts';
import type { Reading } from './reading.ts';
import { confirm } from './secondPage.ts';
import { closed, type Frame, type WalkState, type Window } from './state.ts';
import { isOneUnit } from './window.ts';

/**
 * The first page of a window. That it is short proves nothing, as an exchange may cut each page at
 * another length: the window is read when nothing is left of it, or the exchange's own count, which
 * was right so far, says so.
 */
export function absorbFirstPage(
  last: WalkState,
  window: Window,
  reading: Reading,
  frame: Frame,
): Outcome {
  const { rows, ignored, sent } = reading;
  if (contradicts(last.order, rows)) return takeNone(withoutOrder(last));
  const state = withCutBefore(withClaimJudged(last, reading), reading);
  if (sent === 0) return absorbEmpty(state, window, reading);
  if (isCountedWhole(state, reading))
    return takeAll(closed(withGone(state, window, reading)), reading);
  if (isOneUnit(window, frame.unitOf) && isFull(reading, state))
    return absorbInstant(state, newInstant, window, reading);
  const isIgnored = ignored > rows.length;
  // What pages by number give is not remembered: what is on trial could not be read again after them.
  if ((isIgnored || rows.length === 0) && state.trial) return takeNone(withoutOrder(state));
  if (isIgnored) return takeNone(pagesOfAll(state, frame));
  if (rows.length === 0) return absorbPages(state, newPages('unreadablePage'), reading);
  const learned = learn(state, rows);
  if (mayBeWhole(learned, reading, frame)) return confirm(state, reading);
  return absorbRows(learned, window, reading, frame);
}

/** Nothing is left of the window. Where that is odd it is asked for once more. */
function absorbEmpty(state: WalkState, window: Window, reading: Reading): Outcome {
  const isAgain = state.task.kind === 'emptyAgain';
  if (!isAgain && isOddlyEmpty(state, window, reading))
    return takeNone({ ...state, task: { kind: 'emptyAgain' } });
  const read = closed(withGone(state, window, reading));
  return takeNone(isAgain ? withEmptyClaimed(read, reading) : read);
}

function absorbRows(state: WalkState, window: Window, reading: Reading, frame: Frame): Outcome {
  const { order } = state;
  const edge = reading.rows.at(-1)?.unit ?? window.to;
  switch (order) {
    case 'newestFirst':
    case 'oldestFirst':
      return stepOn(state, window, reading, edge, frame);
    case 'unknown':
    case 'none':
      break;
    default:
      return order satisfies never;
  }
  if (!isFull(reading, state))
    return state.refusesSecond
      ? takeAll(closed(withGone(state, window, reading)), reading)
      : confirm(state, reading);
  return takeEarly(
    order === 'none'
      ? bisect(state, window, frame)
      : splitAround(state, window, frame.unitOf(edge)),
    reading,
  );
}

/**
 * A short page may be all, or cut at a cap that is not known yet. An order that is sure tells as
 * cheaply, except where the exchange counts no more.
 */
function mayBeWhole(state: WalkState, reading: Reading, { size }: Frame): boolean {
  const { isCapKnown, order, trial } = state;
  const isOrderSure = (order === 'newestFirst' || order === 'oldestFirst') && !trial;
  const { sent, claimed } = reading;
  const isLikely = !isOrderSure || (claimed === sent && state.reads === 0);
  return !isCapKnown && isLikely && sent < size && isFull(reading, state);
}
