import type { BadRecord } from '../../records.ts';
import { isMissingAny, orderOf, rowsApart, rowsIn, type Answer } from './answer.ts';
import {
  newCursor,
  type UnprovenReason,
  type WalkCursor,
  type WalkPart,
  type WalkWindow,
} from './cursor.ts';
import type { HistorySource, TimeRange } from '../historySource.ts';
import { readInOrder } from './keysetStep.ts';
import { readNumberedPage, readNumberedPages } from './numberedPages.ts';
import { checkEnds, endPart } from './partEnd.ts';
import { conclusiveRows } from './rules.ts';
import { readSameTime } from './sameTimePages.ts';
import { earliestMs, partsOf, wholeWindows, type TimeWindow } from './timeWindow.ts';
import { ReadsUsedUp, WalkRun, type Found } from './walkRun.ts';
import { nothing, readWithoutOrder } from './wholeWindow.ts';

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
  const { windows, part, page } = run.state;
  const window = windows.at(-1);
  if (part && (!window || isNewPart(window, part))) {
    await endPart(run, part);
    return nothing;
  }
  if (!window) return undefined;
  if (page !== null) return readNumberedPage(run, window, page);
  const question = window.isPart ? run.exact(window) : run.stepQuestion(window);
  const answer = await answerTo(run, window, question);
  if (!answer) return nothing;
  if (window.isPart) openPart(run, window, answer);
  if (answer.strays > answer.rows.length) {
    if (run.readsInCoarserUnits(true)) return nothing;
    if (run.state.rows === 0) return readNumberedPages(run, 'endsIgnored');
    return readSameTime(run, window, answer);
  }
  return readWindow(run, window, question, answer);
}

function isNewPart({ isPart, from, to }: WalkWindow, { window }: WalkPart): boolean {
  return isPart && (from !== window.from || to !== window.to);
}

/** Asks the next question, once more where rows are missing from its answer that came before. */
async function answerTo<Item>(
  run: WalkRun<Item>,
  window: WalkWindow,
  question: TimeWindow,
): Promise<Answer<Item> | undefined> {
  const { edgeRows } = run.state;
  const answer = run.nextAnswer ?? (await run.ask(question));
  run.nextAnswer = undefined;
  const isWronglyEmpty = window.isPart && answer.sent === 0 && (answer.count ?? 0) > 0;
  const units = new Set(answer.rows.map(({ time }) => run.unitOf(time).from));
  const isCrowded = units.size === 1 && answer.sent >= edgeRows.length;
  if ((isCrowded || !isMissingAny(edgeRows, answer.rows)) && !isWronglyEmpty) return answer;
  const { asksUnitBefore } = run.state;
  const again = await run.ask(question);
  if (!isMissingAny(edgeRows, again.rows)) return again;
  run.set({ asksUnitBefore: true });
  const earlier = await run.ask(run.exact(window));
  if (isMissingAny(edgeRows, earlier.rows)) {
    run.set({ asksUnitBefore, hasDrifted: true });
    return again;
  }
  if (run.state.rows > 0) run.markIncomplete('edgesUnproven');
  else run.restart();
  return run.state.rows > 0 ? earlier : undefined;
}

function openPart(run: WalkRun<unknown>, { from, to }: WalkWindow, answer: Answer<unknown>): void {
  const { part } = run.state;
  const inside = rowsIn(answer.rows, { from, to }).length + answer.badRecords.length;
  if (part) return;
  const beside = answer.sent - inside;
  run.set({ part: { window: { from, to }, count: answer.count, rows: 0, beside } });
}

async function readWindow<Item>(
  run: WalkRun<Item>,
  window: WalkWindow,
  question: TimeWindow,
  answer: Answer<Item>,
): Promise<Found<Item>> {
  const { order, rows } = run.state;
  const found = orderOf(answer.rows);
  if (order === 'unknown' && rowsApart(answer.rows) >= conclusiveRows && found)
    run.set({ order: found });
  else if (run.isOrdered && found !== undefined && found !== order) {
    if (rows > 0) run.markIncomplete('orderUnproven');
    run.set({ order: 'none', edgeRows: [] });
    return nothing;
  }
  if (!run.isOrdered) return readWithoutOrder(run, window, answer);
  return readInOrder(run, window, question, answer);
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
