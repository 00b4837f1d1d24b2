import { hourMs } from '../../../base/time.ts';
import type { BadRecord } from '../../records.ts';
import type { IgnoredFilter } from '../filterRules.ts';
import { answerOf, emptyPageIfPastEnd, rowsIn, type Answer, type Row } from './answer.ts';
import { newCursor, type UnprovenReason, type WalkCursor, type WalkWindow } from './cursor.ts';
import type { HistorySource, TimeRange } from '../historySource.ts';
import {
  atLeast,
  coarserUnitsMs,
  contains,
  isOneUnit,
  widestCutMs,
  wholeWindows,
  type TimeWindow,
  type UnitOf,
} from './timeWindow.ts';

/** What a window gave: rows to return, and records that could not be read. */
export type Found<Item> = {
  readonly rows: readonly Row<Item>[];
  readonly badRecords: readonly BadRecord[];
};

/** `maxReads` was reached. */
export class ReadsUsedUp extends Error {}

/** A walk on its way: asks questions, and keeps the state. */
export class WalkRun<Item> {
  readonly history: HistorySource<Item>;
  state: WalkCursor;
  /** An answer to the question of the next window. */
  nextAnswer: Answer<Item> | undefined;
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

  get isOrdered(): boolean {
    const { order } = this.state;
    return order === 'newestFirst' || order === 'oldestFirst';
  }

  get longestMs(): number {
    return this.history.maxRangeMs ?? Infinity;
  }

  /** A question for every row of a window, whether or not the exchange includes rows at `from`. */
  exact({ from, to }: TimeWindow): TimeWindow {
    if (from === null) return { from, to };
    const before = this.unitOf(from - 1);
    const { asksUnitBefore, unitMs } = this.state;
    if (asksUnitBefore) return { from: before.from, to };
    const isFine = unitMs === 0 && before.to - before.from < hourMs;
    return { from: isFine ? from - 1 : from, to };
  }

  /**
   * The same for a window in order, a day further at the far end, where rows beyond it cost nothing and
   * show that it was reached.
   */
  stepQuestion(window: TimeWindow): TimeWindow {
    const { from, to } = this.exact(window);
    const isFree = this.state.order === 'newestFirst' && !isOneUnit(window, this.unitOf);
    if (from === null || !isFree) return { from, to };
    return { from: Math.max(from - widestCutMs, to - this.longestMs), to };
  }

  async ask(question: TimeWindow, page = 0, size?: number): Promise<Answer<Item>> {
    const { range, maxReads, signal, size: most } = this.options;
    if (this.state.reads >= maxReads) throw new ReadsUsedUp();
    signal?.throwIfAborted();
    const { from, to } = question;
    const length = Math.max(1, Math.min(size ?? most, this.history.maxPageSize ?? most));
    const given = await this.history
      .read({ from: from ?? undefined, to }, page, length, signal)
      .catch((error: unknown) => emptyPageIfPastEnd(page, error));
    const answer = answerOf(given, this.history, range);
    this.countBeside(question, [answer]);
    const { sent, rows } = answer;
    const isOn = (ms: number): boolean => rows.every(({ time }) => time % ms === 0);
    const { grainMs } = this.state;
    this.set({
      grainMs: coarserUnitsMs.toReversed().find((ms) => ms <= grainMs && isOn(ms)) ?? 0,
      reads: this.state.reads + 1,
      largestPage: Math.max(this.state.largestPage, sent),
      depth: Math.max(this.state.depth, sent),
    });
    return answer;
  }

  /** Rows beside an end of the part, which the exchange counts as rows of the part. */
  countBeside({ from, to }: TimeWindow, pages: readonly Answer<Item>[]): void {
    const { part } = this.state;
    const asked = part && this.exact(part.window);
    if (!asked || (to !== asked.to && from !== asked.from)) return;
    const isBeside = ({ time }: Row<Item>) => contains(asked, time) && !contains(part.window, time);
    const rows = pages.reduce(
      (sum, page) => sum + page.outside + page.rows.filter(isBeside).length,
      0,
    );
    this.set({ part: { ...part, beside: Math.max(part.beside, rows) } });
  }

  /** Ends the current window with these rows, and puts others in its place. */
  finish(
    answer: Pick<Answer<Item>, 'rows' | 'badRecords' | 'ignoredFilters'>,
    within: TimeWindow,
    left: readonly TimeWindow[] = [],
  ): Found<Item> {
    const { windows, part, rows, ignoredFilters, returned } = this.state;
    const found = rowsIn(answer.rows, within);
    const known = new Set(returned);
    const wanted = found.filter(({ isWanted, key }) => isWanted && !known.has(key));
    const { badRecords } = answer;
    this.set({
      windows: [...windows.slice(0, -1), ...left.map((one) => ({ ...one, isPart: false }))],
      part: part && { ...part, rows: part.rows + found.length + badRecords.length },
      rows: rows + wanted.length,
      edgeRows: [],
      sample: this.state.sample ?? found.find((row) => this.canProveEnds(row))?.time ?? null,
      ignoredFilters:
        found.length > 0 ? sumFilters(ignoredFilters, answer.ignoredFilters) : ignoredFilters,
    });
    return { rows: wanted, badRecords };
  }

  /** Whether an exchange that cuts an end to a coarser unit would cut the end of this row's unit. */
  canProveEnds({ time }: Row<unknown>): boolean {
    const { from, to } = this.unitOf(time);
    const isShown = (ms: number): boolean =>
      time > to - (to % ms) || (this.state.grainMs >= ms && to % ms !== 0);
    return coarserUnitsMs.every((ms) => ms <= to - from || isShown(ms));
  }

  /** Asks for the unit of a time alone, and says whether a row of that time came. */
  async askUnitOf(time: number): Promise<{ answer: Answer<Item>; isShown: boolean }> {
    const answer = await this.ask(this.exact(this.unitOf(time)));
    return { answer, isShown: answer.rows.some((row) => row.time === time) };
  }

  /** Whether the exchange applies the ends to a longer unit. It may include the unit that begins at `to`. */
  isTooWide({ strays, rows }: Answer<unknown>): boolean {
    return strays > (this.state.unitMs > 0 ? rows.length : 0);
  }

  /** Leaves the current window to several smaller ones. */
  split(windows: readonly TimeWindow[]): Found<Item> {
    return this.finish({ rows: [], badRecords: [], ignoredFilters: [] }, noTime, windows);
  }

  /**
   * The exchange does not apply the ends of a question to the unit: reads the range again in coarser
   * units. False where rows are returned already, or no unit is left.
   */
  readsInCoarserUnits(isTooWide = false): boolean {
    const { unitMs, rows, asksUnitBefore: wasBefore, windows } = this.state;
    if (rows > 0 || this.state.returned.length > 0) return false;
    const ownMs = lengthOf(this.history.unitOf(windows.at(-1)?.to ?? 0));
    const next = coarserUnitsMs.find((ms) => ms > Math.max(unitMs, ownMs));
    const isUnitBeforeLeft = !wasBefore && (!isTooWide || next === undefined);
    if (!isUnitBeforeLeft && next === undefined) return false;
    // A coarser unit may hide that the exchange excludes the begin.
    this.set({ asksUnitBefore: true, unitMs: isUnitBeforeLeft ? unitMs : (next ?? unitMs) });
    this.restart();
    return true;
  }

  private get kept(): Partial<WalkCursor> {
    const { unitMs, asksUnitBefore, grainMs, largestPage, depth, reads } = this.state;
    return { unitMs, asksUnitBefore, grainMs, largestPage, depth, reads };
  }

  restart(): void {
    const windows: readonly WalkWindow[] = wholeWindows(
      this.options.range,
      this.unitOf,
      this.longestMs,
    ).map((window) => ({ ...window, isPart: true }));
    this.nextAnswer = undefined;
    this.set({ ...newCursor([]), ...this.kept, windows });
  }
}

const noTime: TimeWindow = { from: 0, to: 0 };

function lengthOf({ from, to }: { from: number; to: number }): number {
  return to - from;
}

function sumFilters(
  known: readonly IgnoredFilter[],
  more: readonly IgnoredFilter[],
): readonly IgnoredFilter[] {
  const sums = new Map(known.map(({ parameter, rows }) => [parameter, rows]));
  for (const { parameter, rows } of more) sums.set(parameter, (sums.get(parameter) ?? 0) + rows);
  return [...sums].map(([parameter, rows]) => ({ parameter, rows }));
}
