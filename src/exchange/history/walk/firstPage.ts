import { readRestByPageNumber, reducePages, newPagesTask } from './numberedPages.ts';
import {
  isFull,
  acceptAll,
  acceptEarly,
  acceptNone,
  isAnyGone,
  unseen,
  type PageOutcome,
  type PageReading,
} from './pageOutcome.ts';
import {
  matchesReportedTotal,
  isUnexpectedlyEmpty,
  observeReportedTotal,
  observeEmptyPageTotal,
  expectedTotalAfter,
} from './reportedTotals.ts';
import { contradictsOrder, observeOrder, observeRowsGone, abandonOrder } from './rowOrder.ts';
import { reduceSameTime, newSameTimeTask, splitAtUnit } from './sameTimePages.ts';
import { requestSecondPage } from './secondPage.ts';
import { isOneUnit, containsUnit, halves } from './timeWindow.ts';
import {
  withoutCurrentWindow,
  withCurrentWindowReplaced,
  type WalkContext,
  type WalkState,
  type TimeWindow,
} from './walkState.ts';

/**
 * The first page of a window. A short page proves nothing, because an exchange may cut each page at
 * another length: the window is read when nothing is left of it, or when the reported total, which was
 * right so far, says so.
 */
export function reduceFirstPage(
  last: WalkState,
  window: TimeWindow,
  reading: PageReading,
  context: WalkContext,
): PageOutcome {
  const { rows, ignored, sent } = reading;
  if (contradictsOrder(last.order, rows)) return acceptNone(abandonOrder(last));
  const state = observeCutPage(observeReportedTotal(last, reading), reading);
  if (sent === 0) return reduceEmptyPage(state, window, reading);
  if (matchesReportedTotal(state, reading))
    return acceptAll(withoutCurrentWindow(observeRowsGone(state, window, reading)), reading);
  if (isOneUnit(window, context.unitOf) && isFull(reading, state))
    return reduceSameTime(state, newSameTimeTask, window, reading);
  const isIgnored = ignored > rows.length;
  // Rows of pages by number are not remembered: after them, windows on trial cannot be read again.
  if ((isIgnored || rows.length === 0) && state.trial) return acceptNone(abandonOrder(state));
  if (isIgnored) return acceptNone(readRestByPageNumber(state, context));
  if (rows.length === 0) return reducePages(state, newPagesTask('unreadablePage'), reading);
  const observed = observeOrder(state, rows);
  if (mayBeWhole(observed, reading, context)) return requestSecondPage(state, reading);
  return reduceRows(observed, window, reading, context);
}

/** Nothing is left of the window. Where that is unexpected, it is requested once more. */
function reduceEmptyPage(state: WalkState, window: TimeWindow, reading: PageReading): PageOutcome {
  const isAgain = state.task.kind === 'emptyAgain';
  if (!isAgain && isUnexpectedlyEmpty(state, window, reading))
    return acceptNone({ ...state, task: { kind: 'emptyAgain' } });
  const read = withoutCurrentWindow(observeRowsGone(state, window, reading));
  return acceptNone(isAgain ? observeEmptyPageTotal(read, reading) : read);
}

function reduceRows(
  state: WalkState,
  window: TimeWindow,
  reading: PageReading,
  context: WalkContext,
): PageOutcome {
  const { order } = state;
  const edge = reading.rows.at(-1)?.unit ?? window.to;
  switch (order) {
    case 'newestFirst':
    case 'oldestFirst':
      return stepFromLastRow(state, window, reading, edge, context);
    case 'unknown':
    case 'none':
      break;
    default:
      return order satisfies never;
  }
  if (!isFull(reading, state))
    return state.refusesSecond
      ? acceptAll(withoutCurrentWindow(observeRowsGone(state, window, reading)), reading)
      : requestSecondPage(state, reading);
  return acceptEarly(
    order === 'none'
      ? bisect(state, window, context)
      : splitAtUnit(state, window, context.unitOf(edge)),
    reading,
  );
}

/**
 * Whether a short page may be all rather than cut at an unknown cap. Where the order is sure, the next
 * window shows it at the same cost, unless the total already says so.
 */
function mayBeWhole(state: WalkState, reading: PageReading, { size }: WalkContext): boolean {
  const { isCapKnown, order, trial } = state;
  const isOrderSure = (order === 'newestFirst' || order === 'oldestFirst') && !trial;
  const { sent, claimed } = reading;
  const isLikely = !isOrderSure || (claimed === sent && state.reads === 0);
  return !isCapKnown && isLikely && sent < size && isFull(reading, state);
}

const maxFirstRows = 100;

/**
 * Continues with the unit of the last row, which is requested again: rows that share it may be cut off.
 * Everything before it in the order is read. If only that unit came, and nothing new, the rest behind
 * it is still to be read.
 */
export function stepFromLastRow(
  state: WalkState,
  window: TimeWindow,
  reading: PageReading,
  last: number,
  { unitOf }: WalkContext,
): PageOutcome {
  const isNewestFirst = state.order === 'newestFirst';
  const unit = unitOf(last);
  const rest = isNewestFirst ? { from: window.from, to: unit.to } : { from: last, to: window.to };
  if (rest.from === window.from && rest.to === window.to) {
    if (isFull(reading, state)) return acceptEarly(splitAtUnit(state, window, unit), reading);
    if (unseen(reading.rows, state.seen).length > 0) return acceptAll(state, reading);
    // A page of rows that share a time may be cut at the same length again.
    if ((reading.sent > 1 || hasUnevenPages(state)) && !state.refusesSecond)
      return requestSecondPage(state, reading);
    const behind = isNewestFirst
      ? { from: window.from, to: last }
      : { from: unit.to, to: window.to };
    return acceptAll(
      withCurrentWindowReplaced(observeRowsGoneBefore(state, window, behind, reading), [behind]),
      reading,
    );
  }
  const next = withCurrentWindowReplaced(observeRowsGoneBefore(state, window, rest, reading), [
    rest,
  ]);
  const before = { unit: last, sent: reading.sent, left: expectedTotalAfter(reading, last) };
  const stepped = { ...next, before };
  return acceptAll(state.reads === 0 ? withFirstRows(stepped, window, reading) : stepped, reading);
}

/** Rows beyond the last unit of the page before show that it was cut at its length. */
export function observeCutPage(state: WalkState, { rows }: PageReading): WalkState {
  const { before, shortestCut } = state;
  if (!before || rows.every(({ unit }) => unit === before.unit)) return state;
  return { ...state, shortestCut: Math.min(before.sent, shortestCut ?? before.sent) };
}

function hasUnevenPages({ largestPage, shortestCut }: WalkState): boolean {
  return shortestCut !== null && shortestCut < largestPage;
}

function observeRowsGoneBefore(
  state: WalkState,
  window: TimeWindow,
  rest: TimeWindow,
  reading: PageReading,
): WalkState {
  const isShown = (unit: number): boolean =>
    containsUnit(window, unit) && !containsUnit(rest, unit);
  return { ...state, hasDrifted: state.hasDrifted || isAnyGone(state.seen, reading, isShown) };
}

/** Keeps the first rows for the check at the end, without those of the last unit, which may be cut. */
function withFirstRows(state: WalkState, window: TimeWindow, { rows }: PageReading): WalkState {
  const first = rows.slice(0, maxFirstRows);
  const edge = first.at(-1)?.unit;
  if (edge === undefined) return state;
  const kept = first.filter(({ unit, isWanted }) => isWanted && unit !== edge);
  return { ...state, firstRows: { window, edge, rows: kept.map(({ unit, id }) => [unit, id]) } };
}

/** Where rows have no order, a window is halved until each part fits on a page. */
export function bisect(state: WalkState, window: TimeWindow, { unitOf }: WalkContext): WalkState {
  const parts = halves(window, unitOf);
  if (parts) return withCurrentWindowReplaced(state, parts);
  // Full of rows from before 1970: the API has no such times.
  return { ...withoutCurrentWindow(state), doubt: 'unreadablePage' };
}
