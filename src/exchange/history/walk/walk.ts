import type { BadRecord } from '../../records.ts';
import { orderOf, rowsApart, rowsIn, type Answer } from './answer.ts';
import { newCursor, type UnprovenReason, type WalkCursor, type WalkPart } from './cursor.ts';
import type { HistorySource, TimeRange } from '../historySource.ts';
import { readInOrder } from './inOrder.ts';
import { conclusiveRows, countAgrees } from './rules.ts';
import { checkEnds, proveEnds, readNumberedPage, readOtherwise } from './rangeEnds.ts';
import { contains, earliestMs, partsOf, type TimeWindow } from './timeWindow.ts';
import { nothing, ReadsUsedUp, WalkRun, type Found } from './walkRun.ts';
import { readWithoutOrder } from './withoutOrder.ts';

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
export type WalkIncompleteReason = UnprovenReason | 'readsUsedUp';

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
  if (cursor) boundWindows(run);
  else run.restart();
  let part = 0;
  try {
    for (;;) {
      const found = await readNext(run);
      if (!found && (await checkEnds(run))) return endOf(run.state);
      part = Math.max(part, fractionRead(run.state, range));
      const { rows, badRecords } = found ?? nothing;
      yield { items: rows.map(({ item }) => item), badRecords, cursor: run.state, part };
    }
  } catch (error) {
    if (!(error instanceof ReadsUsedUp)) throw error;
    return { ...endOf(run.state), completeness: 'unknown', reason: 'readsUsedUp' };
  }
}

/** The fewest pages that a walk reads: one for each period of the longest length. */
export function minReads({ from, to }: TimeRange, maxRangeMs: number | null): number {
  return maxRangeMs === null ? 1 : Math.max(1, Math.ceil((to - (from ?? earliestMs)) / maxRangeMs));
}

/** The longest range of a question may have become known since the cursor was saved. */
function boundWindows(run: WalkRun<unknown>): void {
  const { unitOf, longestMs } = run;
  const { windows, part } = run.state;
  const isLong = ({ from, to }: TimeWindow): boolean => to - (from ?? -Infinity) > longestMs;
  run.set({
    windows: windows.flatMap((one) => (isLong(one) ? partsOf(one, unitOf, longestMs) : [one])),
    part: part && isLong(part.window) ? null : part,
  });
}

/** Reads the next window; undefined when everything is read. */
async function readNext<Item>(run: WalkRun<Item>): Promise<Found<Item> | undefined> {
  const { windows, part: open, page, rows, includesNextUnit } = run.state;
  const window = windows.at(-1);
  if (open && !(window && contains(open.window, window.to - 1))) return endPart(run, open);
  if (!window) return undefined;
  if (page !== null) return readNumberedPage(run, window, page);
  const { question, answer } = run.next ?? (await askFor(run, window));
  run.next = undefined;
  if (!open) openPart(run, window, answer);
  if (rows === 0 && run.isTooWide(question, answer)) {
    readOtherwise(run, 'endsIgnored');
    return nothing;
  }
  if (!includesNextUnit && answer.rows.some(({ time }) => time > question.to)) {
    const { part: opened } = run.state;
    const part = opened && opened.rows > 0 ? opened : null;
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

/** Keeps what the exchange counts in a part of the range that one question covers. */
function openPart(
  run: WalkRun<unknown>,
  window: TimeWindow,
  { rows, badRecords, sent, count }: Answer<unknown>,
): void {
  const beside = sent - rowsIn(rows, window).length - badRecords.length;
  run.set({ part: { window, count, rows: 0, beside } });
}

/**
 * Ends a part: compares what was found with what the exchange counted at its begin, or counts now. The
 * rows of a unit before it are counted only at its begin.
 */
async function endPart(run: WalkRun<unknown>, part: WalkPart): Promise<Found<never>> {
  run.set({ part: null });
  if (countAgrees(part, part.count)) return nothing;
  const { from } = part.window;
  const again = await run.ask({ ...run.exactQuestion(part.window), from });
  if (!countAgrees(part, again.count)) run.markIncomplete('countDisagrees');
  return nothing;
}

/** Where a part begins, asks again where the exchange counts rows and gives none. */
async function askFor<Item>(run: WalkRun<Item>, window: TimeWindow) {
  const question = run.questionFor(window);
  const { part } = run.state;
  const isLikely = ({ sent, count }: Answer<Item>): boolean =>
    part !== null || sent > 0 || (count ?? 0) === 0;
  return { question, answer: await run.askFor(question, isLikely) };
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

function endOf({ incompleteReason, hasDrifted, rows, reads }: WalkCursor): WalkEnd {
  if (incompleteReason) return { completeness: 'unknown', reason: incompleteReason, rows, reads };
  return { completeness: hasDrifted ? 'drifted' : 'complete', rows, reads };
}

/** By the count of the exchange where there is one, otherwise by the time that is left to read. */
function fractionRead({ windows, part }: WalkCursor, { from, to }: TimeRange): number {
  if (windows.length === 0) return 1;
  if (
    part?.count &&
    part.count > part.rows &&
    windows.every((one) => contains(part.window, one.to - 1))
  )
    return part.rows / part.count;
  if (from === undefined) return 0;
  const leftMs = windows.reduce((sum, window) => sum + window.to - (window.from ?? from), 0);
  return Math.max(0, 1 - leftMs / Math.max(1, to - from));
}
