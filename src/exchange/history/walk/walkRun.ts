import type { HistorySource, TimeRange } from '../historySource.ts';
import {
  answerOf,
  emptyIfPastEnd,
  rowsIn,
  sumFilters,
  type Answer,
  type Reading,
  type Row,
} from './answer.ts';
import {
  newCursor,
  withAnswer,
  type UnprovenReason,
  type WalkCursor,
  type WalkWindow,
} from './cursor.ts';
import {
  atLeast,
  coarserUnitsMs,
  contains,
  isOneUnit,
  lengthOf,
  widestCutMs,
  wholeWindows,
  type TimeWindow,
  type UnitOf,
} from './timeWindow.ts';

/** What a window gave: rows to return, and records that could not be read. */
export type Found<Item> = Omit<Reading<Item>, 'ignoredFilters'>;

export const nothing = { rows: [], badRecords: [] } as const;

/** `maxReads` was reached. */
export class ReadsUsedUp extends Error {}

/** How often a question is asked until its answer has the rows that came before. */
const maxAsks = 3;

/** A walk on its way: asks questions, and keeps the state. */
export class WalkRun<Item> {
  readonly history: HistorySource<Item>;
  state: WalkCursor;
  /** A question for the next window that is answered already. */
  next: { readonly question: TimeWindow; readonly answer: Answer<Item> } | undefined;
  /** The first page that was asked for last. */
  private opened: { readonly question: TimeWindow; readonly count: number | null } | undefined;
  private readonly options: {
    readonly range: TimeRange;
    readonly size: number;
    readonly maxReads: number;
    readonly signal: AbortSignal | undefined;
  };

  constructor(history: HistorySource<Item>, state: WalkCursor, options: WalkRun<Item>['options']) {
    this.history = history;
    this.state = state;
    this.options = options;
  }

  set(change: Partial<WalkCursor>): void {
    this.state = { ...this.state, ...change };
  }

  /** The first reason stays. */
  markIncomplete(reason: UnprovenReason): void {
    this.set({ incompleteReason: this.state.incompleteReason ?? reason });
  }

  get unitOf(): UnitOf {
    return atLeast(this.state.unitMs, (timeMs) => this.history.unitOf(timeMs));
  }

  get longestMs(): number {
    return this.history.maxRangeMs ?? Infinity;
  }

  /** A question for every row of a window: the exchange may exclude the unit of `from`. */
  exactQuestion({ from, to }: TimeWindow): TimeWindow {
    const lastUnit = this.unitOf(to - 1).from;
    return {
      from: from === null ? null : from - 1,
      to: this.state.includesNextUnit ? lastUnit : to,
    };
  }

  /**
   * The same for the next window. Newest first, it begins a day earlier: rows there come last, and show
   * that the window was passed.
   */
  questionFor(window: WalkWindow): TimeWindow {
    const { from, to, isPart } = window;
    const exact = this.exactQuestion(window);
    const isExact = isPart || isOneUnit(window, this.unitOf);
    if (from === null || isExact || this.state.order !== 'newestFirst') return exact;
    return { ...exact, from: Math.max(from - widestCutMs, to - this.longestMs) };
  }

  /** Whether a row comes after all rows of a window, where rows come in order of time. */
  isBeyond({ from, to }: TimeWindow, { time }: Row<unknown>): boolean {
    const { order } = this.state;
    if (order === 'newestFirst') return from !== null && time < from;
    return order === 'oldestFirst' && time >= to;
  }

  async ask(question: TimeWindow, page = 0, size?: number): Promise<Answer<Item>> {
    const { range, maxReads, signal, size: most } = this.options;
    if (this.state.reads >= maxReads) throw new ReadsUsedUp();
    signal?.throwIfAborted();
    const { from, to } = question;
    const length = Math.max(1, Math.min(size ?? most, this.history.maxPageSize ?? most));
    const answer = await this.history
      .read({ from: from ?? undefined, to }, page, length, signal)
      .then((given) => answerOf(given, this.history, range))
      .catch((error: unknown) => emptyIfPastEnd(page, error));
    this.countBeside([answer]);
    this.set(withAnswer(this.state, answer));
    if (page === 0) this.opened = { question, count: answer.count };
    const { count } = this.opened?.question === question ? this.opened : answer;
    if (answer.count !== null && answer.count !== count) this.set({ isCountSteady: false });
    return answer;
  }

  /** Asks again while the answer is not as expected: it may have been wrong once. */
  async askFor(
    question: TimeWindow,
    isExpected: (answer: Answer<Item>) => boolean,
  ): Promise<{ readonly answer: Answer<Item>; readonly isExpected: boolean }> {
    for (let asks = 1; ; asks += 1) {
      const answer = await this.ask(question);
      if (isExpected(answer) || asks === maxAsks) return { answer, isExpected: isExpected(answer) };
    }
  }

  /** Rows beside the ends of the part, which the exchange counts as rows of the part. */
  countBeside(pages: readonly Answer<Item>[]): void {
    const { part } = this.state;
    if (!part) return;
    const { from, to } = part.window;
    const asked = {
      from: from === null ? null : this.unitOf(from - 1).from,
      to: this.unitOf(to).to,
    };
    const isBeside = ({ time }: Row<Item>) => contains(asked, time) && !contains(part.window, time);
    const rows = pages.reduce((sum, page) => sum + page.rows.filter(isBeside).length, 0);
    this.set({ part: { ...part, beside: Math.max(part.beside, rows) } });
  }

  /** Ends the current window with these rows, and puts others in its place. */
  finish(
    { rows: given, badRecords, ignoredFilters: ignored }: Reading<Item>,
    within: TimeWindow,
    left: readonly TimeWindow[] = [],
  ): Found<Item> {
    const { windows, part, rows, ignoredFilters, returned } = this.state;
    const found = rowsIn(given, within);
    const known = new Set(returned);
    const wanted = found.filter(({ isWanted, key }) => isWanted && !known.has(key));
    this.set({
      windows: [...windows.slice(0, -1), ...left.map((one) => ({ ...one, isPart: false }))],
      part: part && { ...part, rows: part.rows + found.length + badRecords.length },
      rows: rows + wanted.length,
      ignoredFilters:
        found.length > 0 ? sumFilters([...ignoredFilters, ...ignored]) : ignoredFilters,
    });
    return { rows: wanted, badRecords };
  }

  /** Leaves the current window to several smaller ones. */
  split(windows: readonly TimeWindow[]): Found<Item> {
    return this.finish({ ...nothing, ignoredFilters: [] }, { from: 0, to: 0 }, windows);
  }

  /** Whether rows are more than a unit beside a question: the exchange applies its ends to a longer one. */
  isTooWide({ from, to }: TimeWindow, { rows }: Answer<unknown>): boolean {
    const widest = { from: from === null ? null : this.unitOf(from).from, to: this.unitOf(to).to };
    return rows.some(({ time }) => !contains(widest, time));
  }

  /** Reads the range again in coarser units; false where none is left. */
  usesCoarserUnits(): boolean {
    const { unitMs, windows } = this.state;
    const ownMs = lengthOf(this.history.unitOf(windows.at(-1)?.to ?? 0));
    const coarser = coarserUnitsMs.find((ms) => ms > Math.max(unitMs, ownMs));
    if (coarser === undefined) return false;
    this.set({ unitMs: coarser });
    this.restart();
    return true;
  }

  restart(): void {
    const { range } = this.options;
    const { windows } = newCursor(wholeWindows(range, this.unitOf, this.longestMs));
    const { unitMs, grainMs, largestPage, depth, reads } = this.state;
    this.next = undefined;
    this.state = { ...newCursor([]), unitMs, grainMs, largestPage, depth, reads, windows };
  }
}
