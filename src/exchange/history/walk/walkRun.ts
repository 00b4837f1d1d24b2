import type { HistorySource, TimeRange } from '../historySource.ts';
import { answerOf, emptyIfPastEnd, rowsIn, type Answer, type Row } from './answer.ts';
import { newCursor, withAnswer, type UnprovenReason, type WalkCursor } from './cursor.ts';
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
export type Found<Item> = Pick<Answer<Item>, 'rows' | 'badRecords'>;

export const nothing = { rows: [], badRecords: [] } as const;

/** `maxReads` was reached. */
export class ReadsUsedUp extends Error {}

/** How often a question is asked until its answer has the rows that came before. */
const maxAsks = 3;

/** A walk on its way: asks questions, and keeps the state. */
export class WalkRun<Item> {
  readonly history: HistorySource<Item>;
  state: WalkCursor;
  /** A question about the next window that is answered already; it may end within the window. */
  next: { readonly question: TimeWindow; readonly answer: Answer<Item> } | undefined;
  readonly range: TimeRange;
  private readonly options: {
    readonly range: TimeRange;
    readonly size: number;
    readonly maxReads: number;
    readonly signal: AbortSignal | undefined;
  };

  constructor(history: HistorySource<Item>, state: WalkCursor, options: WalkRun<Item>['options']) {
    this.history = history;
    this.state = state;
    this.range = options.range;
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
   * that the window was passed. Where a part of the range begins, its rows are counted.
   */
  questionFor(window: TimeWindow): TimeWindow {
    const { from, to } = window;
    const exact = this.exactQuestion(window);
    const isExact = !this.state.part || isOneUnit(window, this.unitOf);
    if (from === null || isExact || this.state.order !== 'newestFirst') return exact;
    return { ...exact, from: Math.max(from - widestCutMs, to - this.longestMs) };
  }

  /** Whether a row comes after all rows of a window, where rows come in order of time. */
  isBeyond({ from, to }: TimeWindow, { time }: Row<unknown>): boolean {
    const { order } = this.state;
    if (order === 'newestFirst') return from !== null && time < from;
    return order === 'oldestFirst' && time >= to;
  }

  async ask({ from, to }: TimeWindow, page = 0, size?: number): Promise<Answer<Item>> {
    const { range, maxReads, signal, size: most } = this.options;
    if (this.state.reads >= maxReads) throw new ReadsUsedUp();
    signal?.throwIfAborted();
    const length = Math.max(1, Math.min(size ?? most, this.history.maxPageSize ?? most));
    const answer = await this.history
      .read({ from: from ?? undefined, to }, page, length, signal)
      .then((given) => answerOf(given, this.history, range))
      .catch((error: unknown) => emptyIfPastEnd(page, error));
    this.countBeside(answer);
    this.set(withAnswer(this.state, answer));
    return answer;
  }

  /** Asks again while the answer is not as expected: it may have been wrong once. */
  async askFor(
    question: TimeWindow,
    isExpected: (answer: Answer<Item>) => boolean,
  ): Promise<Answer<Item>> {
    for (let asks = 1; ; asks += 1) {
      const answer = await this.ask(question);
      if (isExpected(answer) || asks === maxAsks) return answer;
    }
  }

  /** Rows beside the ends of the part, which the exchange counts as rows of the part. */
  countBeside({ rows }: Answer<Item>): void {
    const { part } = this.state;
    if (!part) return;
    const { from, to } = part.window;
    const asked = {
      from: from === null ? null : this.unitOf(from - 1).from,
      to: this.unitOf(to).to,
    };
    const beside = rowsIn(rows, asked).length - rowsIn(rows, part.window).length;
    this.set({ part: { ...part, beside: Math.max(part.beside, beside) } });
  }

  /** Ends the current window with these rows, and puts others in its place. */
  finish(
    { rows: given, badRecords, ignoresFilter }: Answer<Item>,
    within: TimeWindow,
    left: readonly TimeWindow[] = [],
  ): Found<Item> {
    const { part, rows, returned } = this.state;
    const found = rowsIn(given, within);
    const known = new Set(returned);
    const wanted = found.filter(({ isWanted, key }) => isWanted && !known.has(key));
    if (found.length > 0 && ignoresFilter) this.markIncomplete('filterIgnored');
    this.split(left);
    this.set({
      part: part && { ...part, rows: part.rows + found.length + badRecords.length },
      rows: rows + wanted.length,
    });
    return { rows: wanted, badRecords };
  }

  /** Puts other windows in the place of the current one. */
  split(windows: readonly TimeWindow[]): Found<Item> {
    this.set({ windows: [...this.state.windows.slice(0, -1), ...windows] });
    return nothing;
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
    const windows = wholeWindows(this.range, this.unitOf, this.longestMs);
    const { unitMs, grainMs, largestPage, reads } = this.state;
    this.next = undefined;
    this.state = { ...newCursor(windows), unitMs, grainMs, largestPage, reads };
  }
}
