import * as v from 'valibot';
import { ExchangeError } from '../../exchangeError.ts';
import type { BadRecord } from '../../records.ts';
import type { HistorySource, TimeRange, TimeUnit, HistorySourcePage } from './historySource.ts';
import { pageReadingOf } from './pageOutcome.ts';
import { reportsMissingRows } from './reportedTotals.ts';
import { earliestMs, wholeWindow, boundedWindows, withLastWindowShortened } from './timeWindow.ts';
import { reduceWalk, nextRequest, prepareNextWindow } from './walkReducer.ts';
import {
  initialWalkState,
  walkStateSchema,
  type IncompleteReason,
  type WalkContext,
  type WalkState,
  type TimeWindow,
} from './walkState.ts';

/** The state of a walk as JSON data: enough to resume it in another process. */
export type WalkCursor = WalkState;

export type WalkOptions = {
  /** `to` is a server time that lies so far back that no row is added before it. */
  readonly range: TimeRange;
  /** The page size to request. */
  readonly size: number;
  /** The most pages to read, including those before the cursor. */
  readonly maxReads: number;
  /** Of an interrupted walk over the same history and range. */
  readonly cursor?: WalkCursor;
};

/** The new rows of one page, and the cursor after them. */
export type WalkStep<Item> = {
  readonly items: readonly Item[];
  /** They have no id: one on a page that is read twice is reported twice. */
  readonly badRecords: readonly BadRecord[];
  readonly cursor: WalkCursor;
  /** How much of the range is read, from 0 to 1; an estimate that never falls. */
  readonly part: number;
};

/**
 * Why rows may be missing: `readsUsedUp`, `maxReads` was reached; `endsIgnored`, the exchange
 * returned rows outside the range; `unreadablePage`, no row of a full page had a time; `pagesRepeat`,
 * two pages had the same rows; `pagesVary`, a page changed its length with every request;
 * `crowdedInstant`, more rows than a page share a time, and their order or the page length changes;
 * `orderBroke`, rows were sorted by time, and then were not; `pageRefused`, a page after the first was
 * needed and refused; `filterIgnored`, rows contradict a filter.
 */
export type WalkIncompleteReason = IncompleteReason | 'readsUsedUp' | 'filterIgnored';

/**
 * `complete`: every part of the range was read to its end, in an order that held. `drifted`: the same,
 * but rows came or left in between, or the exchange, whose totals were right so far, reported more
 * rows than it returned. `unknown`: see `reason`.
 */
export type WalkEnd = {
  readonly completeness: 'complete' | 'drifted' | 'unknown';
  readonly reason?: WalkIncompleteReason;
  readonly rows: number;
  readonly reads: number;
};

/**
 * Reads every row of a history within the range, none twice, one page for each step. A rejected `read`
 * ends the walk; the cursor of the last step resumes it.
 */
export async function* walk<Item>(
  history: HistorySource<Item>,
  { range, size, maxReads, cursor }: WalkOptions,
  signal?: AbortSignal,
): AsyncGenerator<WalkStep<Item>, WalkEnd> {
  const context = walkContextOf(history, range, size);
  let part = 0;
  let state = cursor
    ? resumeWalk(cursor, context)
    : prepareNextWindow(initialWalkState(context), context);
  for (let next = nextRequest(state); next; next = nextRequest(state)) {
    if (state.reads >= maxReads) return endOf(state, 'readsUsedUp');
    signal?.throwIfAborted();
    const { from, to } = next.window;
    const answer = await history
      .read({ from: from ?? undefined, to }, next.page, next.size ?? context.size, signal)
      .catch((error: unknown) => emptyPageIfPastEnd(next.page, error));
    const reduced = reduceWalk(state, pageReadingOf(answer, history, range), context);
    state = reduced.state;
    part = Math.max(part, fractionRead(state, context));
    yield {
      items: reduced.newRows.flatMap(({ index }) => answer.items.slice(index, index + 1)),
      badRecords: reduced.reportsBadRecords ? answer.badRecords : [],
      cursor: state,
      part,
    };
  }
  return endOf(state, state.doubt ?? (state.unmatched.length > 0 ? 'filterIgnored' : null));
}

/** Parses a stored cursor; undefined where it is malformed or of another version. */
export function parseWalkCursor(value: unknown): WalkCursor | undefined {
  const parsed = v.safeParse(walkStateSchema, value);
  return parsed.success ? parsed.output : undefined;
}

/** The fewest pages that a walk reads: one for each period of the longest length. */
export function minReads({ from, to }: TimeRange, maxRangeMs: number | null): number {
  return maxRangeMs === null ? 1 : Math.max(1, Math.ceil((to - (from ?? earliestMs)) / maxRangeMs));
}

function walkContextOf<Item>(
  history: HistorySource<Item>,
  range: TimeRange,
  size: number,
): WalkContext {
  const { maxRangeMs, maxPageSize } = history;
  const unitOf = (timeMs: number): TimeUnit => history.unitOf(timeMs);
  return {
    whole: wholeWindow(range, unitOf, maxRangeMs !== null),
    unitOf,
    longestMs: maxRangeMs ?? Infinity,
    size: Math.min(size, maxPageSize ?? size),
  };
}

function endOf(state: WalkState, reason: WalkIncompleteReason | null): WalkEnd {
  const { hasDrifted, rows, reads } = state;
  if (reason) return { completeness: 'unknown', reason, rows, reads };
  return {
    completeness: hasDrifted || reportsMissingRows(state) ? 'drifted' : 'complete',
    rows,
    reads,
  };
}

/** By the reported total where there is one, otherwise by the time that is left to read. */
function fractionRead({ windows, rows, aside, left }: WalkState, { whole }: WalkContext): number {
  if (windows.length === 0) return 1;
  const counted = rows + aside;
  if (left !== null && left > 0) return counted / (counted + left);
  const from = whole.from;
  if (from === null) return 0;
  const leftMs = windows.reduce((sum, window) => sum + window.to - (window.from ?? from), 0);
  return 1 - leftMs / (whole.to - from);
}

/**
 * Resumes a walk after the longest range of a request may have become known. A window that is too
 * long now is read again in shorter ones; rows that it has returned are remembered.
 */
export function resumeWalk(state: WalkState, context: WalkContext): WalkState {
  const { task, windows, trial, firstRows } = state;
  // Rows of pages by number are not remembered: shorter windows would return them twice.
  if (context.longestMs === Infinity || task.kind === 'pages' || task.kind === 'reverse')
    return state;
  const isLong = (window: TimeWindow): boolean =>
    withLastWindowShortened(boundedWindows([window], context), context).length > 1;
  const known: WalkState = {
    ...state,
    windows: boundedWindows(windows, context),
    trial: trial && boundedWindows(trial, context),
    firstRows: firstRows && isLong(firstRows.window) ? null : firstRows,
  };
  const current = task.kind === 'endCheck' ? firstRows?.window : windows.at(-1);
  if (!current || !isLong(current)) return known;
  return prepareNextWindow({ ...known, task: { kind: 'window' }, before: null }, context);
}

const noRows: HistorySourcePage<never> = {
  items: [],
  badRecords: [],
  rowsOutsidePeriod: 0,
  ignoredFilters: [],
  totalElements: null,
  totalPages: null,
};

/** Some exchanges answer 404 to a page past the last one. Another refusal may mean the same. */
export function emptyPageIfPastEnd(page: number, error: unknown): HistorySourcePage<never> {
  if (page === 0 || !(error instanceof ExchangeError)) throw error;
  const { kind, status } = error.failure;
  if (status === 404) return noRows;
  if (kind === 'refused') return { ...noRows, isRefused: true };
  throw error;
}
