import type { BadRecord } from '../../records.ts';
import { orderOf, rowsApart, rowsIn, type Answer } from './answer.ts';
import {
  newCursor,
  type UnprovenReason,
  type WalkCursor,
  type WalkPart,
  type WalkWindow,
} from './cursor.ts';
import type { HistorySource, TimeRange } from '../historySource.ts';
import { readInOrder } from './inOrder.ts';
import { readNumberedPage, readOtherwise } from './numberedPages.ts';
import { conclusiveRows, countAgrees } from './rules.ts';
import { checkEnds, proveEnds } from './rangeEnds.ts';
import { earliestMs, partsOf, wholeWindows, type TimeWindow } from './timeWindow.ts';
import { readWithoutOrder } from './wholeWindow.ts';
import { nothing, ReadsUsedUp, WalkRun, type Found } from './walkRun.ts';

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

/** The rows of a window that is read, and the cursor after them. */
export type WalkStep<Item> = {
  readonly items: readonly Item[];
  /** They have no id: one on a page that is read twice is reported twice. */
  readonly badRecords: readonly BadRecord[];
  readonly cursor: WalkCursor;
  /** How much of the range is read, from 0 to 1; an estimate that never falls. */
  readonly part: number;
};

/** Why rows may be missing; docs/exports.md explains each. */
export type WalkIncompleteReason = UnprovenReason | 'readsUsedUp' | 'filterIgnored';

/** `complete`: every rule of `rules.ts` holds. `drifted`: rows came or left where they were read. */
export type WalkEnd = {
  readonly completeness: 'complete' | 'drifted' | 'unknown';
  readonly reason?: WalkIncompleteReason;
  readonly rows: number;
  readonly reads: number;
};

/**
 * Reads every row of a history within the range, none twice, one window for each step. A rejected
 * `read` ends the walk; the cursor of the last step resumes it.
 */
export async function* walk<Item>(
  history: HistorySource<Item>,
  { cursor, ...options }: WalkOptions,
  signal?: AbortSignal,
): AsyncGenerator<WalkStep<Item>, WalkEnd> {
  const { range } = options;
  const run = new WalkRun(history, cursor ?? newCursor([]), { ...options, signal });
  const { unitOf, longestMs } = run;
  if (cursor) run.set(boundedCursor(run, cursor));
  else run.set(newCursor(wholeWindows(range, unitOf, longestMs)));
  const isEmpty = run.state.windows.length === 0 && !cursor;
  let part = 0;
  try {
    for (;;) {
      const found = await readNext(run);
      if (!found && (isEmpty || (await checkEnds(run, range)))) return endOf(run.state);
      part = Math.max(part, fractionRead(run.state, range));
      const { rows, badRecords } = found ?? nothing;
      yield { items: rows.map(({ item }) => item), badRecords, cursor: run.state, part };
    }
  } catch (error) {
    if (error instanceof ReadsUsedUp) return { ...endOf(run.state), ...usedUp };
    throw error;
  }
}

const usedUp = { completeness: 'unknown', reason: 'readsUsedUp' } as const;

/** The fewest pages that a walk reads: one for each period of the longest length. */
export function minReads({ from, to }: TimeRange, maxRangeMs: number | null): number {
  return maxRangeMs === null ? 1 : Math.max(1, Math.ceil((to - (from ?? earliestMs)) / maxRangeMs));
}

/** The longest range of a question may have become known since the cursor was saved. */
function boundedCursor(run: WalkRun<unknown>, { windows, part }: WalkCursor): Partial<WalkCursor> {
  const { unitOf, longestMs } = run;
  const isLong = ({ from, to }: TimeWindow): boolean => to - (from ?? -Infinity) > longestMs;
  const bounded = windows.flatMap((window) =>
    longestMs === Infinity || !isLong(window)
      ? [window]
      : partsOf(window, unitOf, longestMs).map((one) => ({ ...one, isPart: true })),
  );
  const isPartLong = longestMs !== Infinity && part !== null && isLong(part.window);
  return { windows: bounded, part: isPartLong ? null : part };
}

/** Reads the next window; undefined when everything is read. */
async function readNext<Item>(run: WalkRun<Item>): Promise<Found<Item> | undefined> {
  const { windows, part, page, rows } = run.state;
  const window = windows.at(-1);
  if (part && (!window || isNewPart(window, part))) {
    await endPart(run, part);
    return nothing;
  }
  if (!window) return undefined;
  if (page !== null) return readNumberedPage(run, window, page);
  const { question, answer } = run.next ?? (await askFor(run, window));
  run.next = undefined;
  if (window.isPart) openPart(run, window, answer);
  if (rows === 0 && run.isTooWide(question, answer)) {
    readOtherwise(run, 'endsIgnored');
    return nothing;
  }
  if (!run.state.includesNextUnit && answer.rows.some(({ time }) => time > window.to)) {
    const part = window.isPart ? null : run.state.part;
    run.set({ includesNextUnit: true, areEndsProven: false, part });
    await proveEnds(run, answer);
    return nothing;
  }
  findOrder(run, answer);
  const { order } = run.state;
  const isOrdered = order === 'newestFirst' || order === 'oldestFirst';
  const read = isOrdered ? readInOrder : readWithoutOrder;
  return read(run, window, question, answer);
}

function isNewPart({ isPart, from, to }: WalkWindow, { window }: WalkPart): boolean {
  return isPart && (from !== window.from || to !== window.to);
}

/** Keeps what the exchange counts in a part of the range that one question covers. */
function openPart(
  run: WalkRun<unknown>,
  { from, to }: WalkWindow,
  { rows, badRecords, sent, count }: Answer<unknown>,
): void {
  const window = { from, to };
  const beside = sent - rowsIn(rows, window).length - badRecords.length;
  if (!run.state.part) run.set({ part: { window, count, rows: 0, beside } });
}

/**
 * Ends a part: compares what was found with what the exchange counted at its begin, or counts now. The
 * rows of a unit before it are counted only at its begin.
 */
async function endPart(run: WalkRun<unknown>, part: WalkPart): Promise<void> {
  run.set({ part: null });
  if (countAgrees(part, part.count)) return;
  const { from } = part.window;
  const again = await run.ask({ ...run.exactQuestion(part.window), from });
  if (!countAgrees(part, again.count)) run.markIncomplete('countDisagrees');
}

/** Asks again where the exchange counts rows of a part and gives none. */
async function askFor<Item>(run: WalkRun<Item>, window: WalkWindow) {
  const question = run.questionFor(window);
  const isLikely = ({ sent, count }: Answer<Item>): boolean =>
    !window.isPart || sent > 0 || (count ?? 0) === 0;
  return { question, answer: (await run.askFor(question, isLikely)).answer };
}

/** The first conclusive answer shows the order; another order later shows that there is none. */
function findOrder(run: WalkRun<unknown>, { rows }: Answer<unknown>): void {
  const { order, rows: returned } = run.state;
  const found = orderOf(rows);
  if (order === 'unknown' && found && rowsApart(rows) >= conclusiveRows) run.set({ order: found });
  const known = run.state.order;
  if (!found || known === 'unknown' || known === 'none' || found === known) return;
  if (returned > 0) run.markIncomplete('orderUnproven');
  run.set({ order: 'none' });
}

function endOf({ incompleteReason, ignoredFilters, hasDrifted, rows, reads }: WalkCursor): WalkEnd {
  const reason = incompleteReason ?? (ignoredFilters.length > 0 ? 'filterIgnored' : undefined);
  if (reason) return { completeness: 'unknown', reason, rows, reads };
  return { completeness: hasDrifted ? 'drifted' : 'complete', rows, reads };
}

/** By the count of the exchange where there is one, otherwise by the time that is left to read. */
function fractionRead({ windows, part }: WalkCursor, { from, to }: TimeRange): number {
  if (windows.length === 0) return 1;
  const hasOne = windows.every(({ isPart }) => !isPart);
  if (part?.count && hasOne && part.count > part.rows) return part.rows / part.count;
  if (from === undefined) return 0;
  const leftMs = windows.reduce((sum, window) => sum + window.to - (window.from ?? from), 0);
  return Math.max(0, 1 - leftMs / Math.max(1, to - from));
}
