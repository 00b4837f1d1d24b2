import type { IgnoredFilter } from '../filterRules.ts';
import { reduceFirstPage } from './firstPage.ts';
import { reducePages, reduceReverse } from './numberedPages.ts';
import {
  acceptNone,
  unseen,
  isAnyGone,
  type PageOutcome,
  type PageReading,
  type WalkRow,
} from './pageOutcome.ts';
import { countSetAside } from './reportedTotals.ts';
import { abandonOrder } from './rowOrder.ts';
import { reduceSameTime } from './sameTimePages.ts';
import { reduceFirstAgain, reduceSecondPage } from './secondPage.ts';
import { containsUnit, withLastWindowShortened } from './timeWindow.ts';
import type {
  PageRequest,
  WalkContext,
  SeenRow,
  WalkTask,
  WalkState,
  TimeWindow,
} from './walkState.ts';

/** The next page to read, counted from 0, and its window. */
export type WalkRequest = PageRequest & { readonly window: TimeWindow };

export type ReducedPage = {
  readonly state: WalkState;
  /** The rows of the page that were not returned before. */
  readonly newRows: readonly WalkRow[];
  readonly reportsBadRecords: boolean;
};

/** Undefined when everything is read. */
export function nextRequest({ windows, task, firstRows }: WalkState): WalkRequest | undefined {
  const window = task.kind === 'endCheck' ? firstRows?.window : windows.at(-1);
  if (!window) return undefined;
  return { window, ...pageRequestOf(task) };
}

function pageRequestOf(task: WalkTask): PageRequest {
  switch (task.kind) {
    case 'window':
    case 'emptyAgain':
    case 'firstAgain':
    case 'endCheck':
      return { page: 0, size: null };
    case 'second':
      return { page: 1, size: task.size };
    case 'instant':
      return task.checks[0] ?? { page: task.page, size: task.size };
    case 'pages':
      return { page: task.page, size: task.size };
    case 'reverse':
      return { page: task.page, size: null };
    default:
      return task satisfies never;
  }
}

/** Adds the page that the next request returned. */
export function reduceWalk(
  state: WalkState,
  reading: PageReading,
  context: WalkContext,
): ReducedPage {
  const { acceptedRows, reportsBadRecords, state: next } = outcomeOf(state, reading, context);
  const fresh = unseen(acceptedRows, state.seen);
  const returned = fresh.filter(({ isWanted }) => isWanted);
  const isByNumber = state.task.kind !== 'second';
  const isRemembered = state.task.kind !== 'pages' && state.task.kind !== 'reverse';
  const added = isRemembered ? fresh.map(({ unit, id }): SeenRow => [unit, id]) : [];
  const counted: WalkState = {
    ...next,
    reads: state.reads + 1,
    rows: state.rows + returned.length,
    aside: state.aside + countSetAside(reading),
    doubt: reading.isRefused && isByNumber ? 'pageRefused' : next.doubt,
    largestPage: Math.max(state.largestPage, reading.sent),
    left: expectedRowsLeft(state, reading),
    unmatched:
      acceptedRows.length > 0
        ? sumIgnoredFilters(state.unmatched, reading.ignoredFilters)
        : state.unmatched,
    claimed: state.reads === 0 && state.windows.length === 1 ? reading.claimed : state.claimed,
  };
  return {
    state: prepareNextWindow(
      { ...counted, seen: stillRepeatable([...state.seen, ...added], counted) },
      context,
    ),
    newRows: returned,
    reportsBadRecords,
  };
}

function outcomeOf(state: WalkState, reading: PageReading, context: WalkContext): PageOutcome {
  const { task } = state;
  const window = state.windows.at(-1);
  if (task.kind === 'endCheck') return reduceEndCheck(state, reading);
  if (!window) return acceptNone(state);
  switch (task.kind) {
    case 'window':
    case 'emptyAgain':
      return reduceFirstPage(state, window, reading, context);
    case 'second':
      return reduceSecondPage(state, task, reading);
    case 'firstAgain':
      return reduceFirstAgain(state, task, window, reading);
    case 'instant':
      return reduceSameTime(state, task, window, reading);
    case 'pages':
      return reducePages(state, task, reading);
    case 'reverse':
      return reduceReverse(state, task, reading);
    default:
      return task satisfies never;
  }
}

/** Keeps only rows that can come again, so that memory does not grow with the walk. */
function stillRepeatable(seen: readonly SeenRow[], state: WalkState): readonly SeenRow[] {
  if (state.trial) return seen;
  return seen.filter(([unit]) => state.windows.some((window) => containsUnit(window, unit)));
}

/** How many rows are left behind this page by the reported total, where it covers all that is left. */
function expectedRowsLeft(
  { windows, task }: WalkState,
  { claimed, sent }: PageReading,
): number | null {
  const isAll = windows.length === 1 && task.kind === 'window';
  return isAll && claimed !== null ? Math.max(0, claimed - sent) : null;
}

function sumIgnoredFilters(
  known: readonly IgnoredFilter[],
  more: readonly IgnoredFilter[],
): readonly IgnoredFilter[] {
  const names = [...new Set([...known, ...more].map(({ parameter }) => parameter))];
  const rowsOf = (parameter: string, list: readonly IgnoredFilter[]): number =>
    list.find((filter) => filter.parameter === parameter)?.rows ?? 0;
  return names.map((name) => ({ parameter: name, rows: rowsOf(name, known) + rowsOf(name, more) }));
}

const minReadsForEndCheck = 3;

/** Makes the next window short enough; after the last, schedules the check of the first page. */
export function prepareNextWindow(state: WalkState, context: WalkContext): WalkState {
  if (state.windows.length > 0)
    return { ...state, windows: withLastWindowShortened(state.windows, context) };
  if (state.trial) return prepareNextWindow(abandonOrder(state), context);
  if (!state.firstRows || state.reads < minReadsForEndCheck) return { ...state, firstRows: null };
  return { ...state, task: { kind: 'endCheck' } };
}

/**
 * Reads the first page once more at the end: rows that came or left there show that the history changed
 * during the walk. Late rows are returned.
 */
export function reduceEndCheck(state: WalkState, reading: PageReading): PageOutcome {
  const first = state.firstRows;
  const done: WalkState = { ...state, firstRows: null, task: { kind: 'window' } };
  if (!first) return { state: done, acceptedRows: [], reportsBadRecords: false };
  const last = reading.rows.at(-1)?.unit;
  const isNewestFirst = state.order === 'newestFirst';
  const isShown = (unit: number): boolean =>
    [first.edge, last ?? first.edge].every((edge) => (isNewestFirst ? unit > edge : unit < edge));
  const shown = reading.rows.filter(({ unit, isWanted }) => isWanted && isShown(unit));
  const late = unseen(shown, first.rows);
  const hasDrifted = state.hasDrifted || late.length > 0 || isAnyGone(first.rows, reading, isShown);
  return { state: { ...done, hasDrifted }, acceptedRows: late, reportsBadRecords: false };
}
