import {
  contains,
  isEmpty,
  lengthOf,
  openStart,
  subtract,
  type Interval,
} from '../../../base/interval.ts';
import { dayMs, earliestMs, firstTimestampMs, hourMs } from '../../../base/time.ts';
import { emptyIfPastEnd, type HistorySource } from '../source.ts';
import { rowsIn, type HistoryPage, type Row } from '../page.ts';
import { newCursor, type UnprovenReason, type WalkCursor } from './cursor.ts';
import { edgesAreProven, isBeyond, maxTruncationMs } from './rules.ts';

export type WalkOptions = {
  /** `to` is a server time far enough back that no row is added before it. */
  readonly range: Interval;
  /** The most rows of a page. */
  readonly size: number;
  /** The most pages, including those that the cursor has counted. */
  readonly maxReads: number;
  /** The last one of an interrupted walk over the same history and range. */
  readonly cursor?: WalkCursor;
  /** The exchange refuses a start before its first record: none is asked for, and older rows may be missing. */
  readonly isStartOmitted?: boolean;
};

/** What a window gave: rows to return, and records that could not be read. */
export type Found<Item> = Pick<HistoryPage<Item>, 'rows' | 'badRecords'>;

export const nothing = { rows: [], badRecords: [] } as const;

type WindowRead = { readonly window: Interval; readonly identities: ReadonlySet<string> };
const readNothing: WindowRead = { window: { from: 0, to: 0 }, identities: new Set() };

/** `maxReads` was reached. */
export class ReadsUsedUp extends Error {}

/** A walk on its way: asks questions, and keeps the state. */
export class WalkRun<Item> {
  readonly history: HistorySource<Item>;
  readonly options: WalkOptions;
  private readonly signal: AbortSignal | undefined;
  state: WalkCursor;
  /** Whether no start is asked for, of a range without one: then older rows may be missing. */
  isStartOmitted: boolean;
  /** An answer about the next window; its question may end within the window. */
  next: HistoryPage<Item> | undefined;
  /** Windows are read page by page. */
  readsAllPages = false;
  /** Rows that an answer showed and that are not returned: of what is left, or was read last or first. */
  readonly shown = new Set<string>();
  /** What was read last, and first of the part: later answers show some of these rows again. */
  private latest = readNothing;
  private first = readNothing;

  constructor(history: HistorySource<Item>, options: WalkOptions, signal?: AbortSignal) {
    this.history = history;
    this.options = options;
    this.signal = signal;
    this.state = options.cursor ?? newCursor([]);
    this.isStartOmitted = options.isStartOmitted === true;
  }

  set(change: Partial<WalkCursor>): void {
    this.state = { ...this.state, ...change };
  }

  /** The first reason stays. */
  markIncomplete(reason: UnprovenReason): void {
    this.set({ incompleteReason: this.state.incompleteReason ?? reason });
  }

  /** The unit that a moment lies in: that of the exchange, or a coarser one. */
  readonly unitOf = (timeMs: number): Interval => {
    const { unitMs } = this.state;
    const unit = this.history.unitOf(timeMs);
    const from = Math.floor(timeMs / unitMs) * unitMs;
    return lengthOf(unit) >= unitMs ? unit : { from, to: from + unitMs };
  };

  isOneUnit({ from, to }: Interval): boolean {
    return from !== openStart && to <= this.unitOf(from).to;
  }

  get hasReturned(): boolean {
    return this.state.rows > 0;
  }

  /** The next window. */
  get window(): Interval {
    return this.state.windows.at(-1) ?? { from: 0, to: 0 };
  }

  /** Whether a row belongs to the range and matches the filters that are not sent. */
  isWanted({ time, matches }: Row<unknown>): boolean {
    return matches && contains(this.options.range, time);
  }

  get longestMs(): number {
    return this.history.maxRangeMs ?? Infinity;
  }

  /** A question for every row of a window: the exchange may exclude the unit of `from`. */
  exactQuestion({ from, to }: Interval): Interval {
    return { from: Math.max(openStart, from - 1), to };
  }

  /**
   * In whole days, it is a day longer: the exchange may cut its ends in any zone. Where dates are days, only
   * at the ends of the part: between them, the rows of the last day are returned again.
   */
  wideQuestion(window: Interval): Interval {
    const { from, to } = this.exactQuestion(window);
    const part = this.state.part?.window ?? window;
    const cutMs = (isAtEnd: boolean): number =>
      this.state.unitMs === dayMs || (isAtEnd && this.isOneDay(window.to)) ? maxTruncationMs : 0;
    const isFirst = window.from <= part.from;
    return {
      from: Math.max(openStart, from - cutMs(isFirst)),
      to: to + cutMs(window.to >= part.to),
    };
  }

  /** Of the exchange, as far as the client knows. */
  get datesAreDays(): boolean {
    return lengthOf(this.history.unitOf(this.window.to)) >= 23 * hourMs;
  }

  private isOneDay(timeMs: number): boolean {
    return lengthOf(this.unitOf(timeMs)) >= 23 * hourMs;
  }

  /**
   * The same for the next window, whatever zone the exchange may cut days in. Newest first, it begins a
   * day earlier: rows there come last, and show that the window was passed. Where a part of the range
   * begins, its rows are counted.
   */
  questionFor(window: Interval): Interval {
    const { from, to } = window;
    const exact = this.wideQuestion(window);
    const isExact = !this.state.part || this.isOneUnit(window);
    if (from === openStart || isExact || !this.isNewestFirst) return exact;
    return { ...exact, from: Math.max(from - maxTruncationMs, to - this.longestMs) };
  }

  /** Whether a question asks for all rows of a window. */
  asksForAll({ question }: HistoryPage<Item>, window = this.window): boolean {
    const { from, to } = this.exactQuestion(window);
    return question.from <= from && question.to >= to;
  }

  get isOrdered(): boolean {
    return this.isNewestFirst || this.state.order === 'oldestFirst';
  }

  get isNewestFirst(): boolean {
    return this.state.order === 'newestFirst';
  }

  /** From the near end of one window to the far end of another, in the order of rows. */
  through(first: Interval, last: Interval): Interval {
    const [older, newer] = this.isNewestFirst ? [last, first] : [first, last];
    return { from: older.from, to: newer.to };
  }

  isBeyond(window: Interval, row: Row<unknown>): boolean {
    return isBeyond(window, row, this.state.order);
  }

  isPassed({ rows }: HistoryPage<unknown>): boolean {
    return rows.some((row) => this.isBeyond(this.window, row));
  }

  /** Whether rows are more than a unit beside a question: the exchange applies its ends to a longer one. */
  isTooWide({ question: { from, to }, rows }: HistoryPage<unknown>): boolean {
    const unitMs = lengthOf(this.unitOf(to));
    const widest = { from: from - unitMs, to: to + unitMs };
    return rowsIn(rows, widest).length < rows.length;
  }

  /** Remembers it if the rows that came prove the ends of a window that was asked for. */
  noteProvenEnds(window: Interval, { rows }: HistoryPage<unknown>): void {
    if (edgesAreProven(window, rows, this.unitOf)) this.set({ areEndsProven: true });
  }

  async ask(question: Interval, page = 0, size?: number): Promise<HistoryPage<Item>> {
    const { maxReads, size: most } = this.options;
    if (this.state.reads >= maxReads) throw new ReadsUsedUp();
    this.signal?.throwIfAborted();
    const length = Math.max(1, Math.min(size ?? most, most));
    const answer = await this.history
      .read(question, page, length, this.signal)
      .catch((error: unknown) => emptyIfPastEnd(question, page > 0 || size !== undefined, error));
    this.countBeside(answer);
    this.noteShown(answer);
    this.noteSpan(answer);
    this.noteStray(answer);
    const { reads, largestPage } = this.state;
    this.set({ reads: reads + 1, largestPage: Math.max(largestPage, answer.sent) });
    return answer;
  }

  private noteShown({ rows }: HistoryPage<Item>): void {
    const { windows } = this.state;
    for (const row of rows) {
      const { identity, time } = row;
      const isLeft = windows.some((window) => contains(window, time));
      const isLate = [this.latest, this.first].some(
        ({ window, identities }) => contains(window, time) && !identities.has(identity),
      );
      if (this.isWanted(row) && (isLeft || isLate)) this.shown.add(identity);
    }
  }

  /** Of questions with both ends. */
  private noteSpan({ question, rows }: HistoryPage<Item>): void {
    if (question.from === openStart) return;
    let { beforeEndMs, afterStartMs } = this.state;
    for (const { time } of rowsIn(rows, question)) {
      beforeEndMs = Math.max(beforeEndMs, question.to - time);
      afterStartMs = Math.max(afterStartMs, time - question.from);
    }
    this.set({ beforeEndMs, afterStartMs });
  }

  /** The exchange may compare the ends of a question with another time than that of the row. */
  private noteStray({ question, rows }: HistoryPage<Item>): void {
    const end = this.unitOf(question.to).to;
    if (rows.some(({ time }) => time >= end)) this.set({ hasStrayRows: true });
  }

  /** Rows beside the ends of the part, in answers to questions with the same end: they are counted. */
  private countBeside({ question, rows }: HistoryPage<Item>): void {
    const { part } = this.state;
    if (!part) return;
    const { from, to } = this.wideQuestion(part.window);
    const older = question.from === from ? rows.filter(({ time }) => time < part.window.from) : [];
    const newer = question.to === to ? rows.filter(({ time }) => time >= part.window.to) : [];
    const before = Math.max(part.before, older.length);
    const after = Math.max(part.after, newer.length);
    this.set({ part: { ...part, before, after } });
  }

  /** Ends the window with these rows, and puts what is left in its place. */
  finish(answer: HistoryPage<Item>, left: readonly Interval[] = []): Found<Item> {
    const { badRecords, ignoredFilters } = answer;
    const found = rowsIn(answer.rows, this.window);
    const rows = found.filter((row) => this.isWanted(row));
    for (const { identity } of found) this.shown.delete(identity);
    const [window = readNothing.window] = subtract([this.window], left);
    this.latest = { window, identities: new Set(found.map(({ identity }) => identity)) };
    if (this.state.part?.rows === 0) this.first = this.latest;
    if (found.length > 0 && ignoredFilters.length > 0) this.markIncomplete('filterIgnored');
    this.countBeside(answer);
    this.split(left);
    const { part, rows: before, bad } = this.state;
    const inPart = part && {
      ...part,
      rows: part.rows + found.length,
      bad: part.bad + badRecords.length,
      last: found.at(-1)?.time ?? part.last,
      oldest: extreme(Math.min, part.oldest, found),
      newest: extreme(Math.max, part.newest, found),
    };
    this.set({ part: inPart, rows: before + rows.length, bad: bad + badRecords.length });
    return { rows, badRecords };
  }

  /** Puts other windows in the place of the next one. */
  split(parts: readonly Interval[]): Found<Item> {
    this.set({ windows: [...this.state.windows.slice(0, -1), ...parts] });
    return nothing;
  }

  /** Begins again in units of that length at least. */
  restart(unitMs: number): void {
    const { largestPage, reads, bad, beforeEndMs, afterStartMs } = this.state;
    const { range } = this.options;
    this.next = undefined;
    const { proven } = this.history;
    const kept = {
      largestPage,
      reads,
      bad,
      beforeEndMs: Math.max(beforeEndMs, proven.beforeEndMs),
      afterStartMs: Math.max(afterStartMs, proven.afterStartMs),
    };
    this.state = { ...newCursor([]), ...kept, unitMs, areEndsProven: unitMs === dayMs };
    // Without a start, an exchange may answer only the last days.
    const first = this.longestMs === Infinity ? firstTimestampMs : earliestMs;
    const isOpen = range.from === openStart;
    const isOmitted = isOpen && this.isStartOmitted;
    const from = isOmitted ? openStart : this.unitOf(isOpen ? first : range.from).from;
    this.set({ windows: isEmpty(range) ? [] : [{ from, to: this.unitOf(range.to - 1).to }] });
    if (isOmitted) this.markIncomplete('edgesUnproven');
  }
}

function extreme(
  choose: (...times: number[]) => number,
  before: number | null,
  rows: readonly Row<unknown>[],
): number | null {
  const times = rows.map(({ time }) => time);
  if (before !== null) times.push(before);
  return times.length === 0 ? null : choose(...times);
}
