import { createHash } from 'node:crypto';
import type { BadRecord } from '../../records.ts';
import { ExchangeError } from '../../exchangeError.ts';
import type { IgnoredFilter } from '../filterRules.ts';
import type { HistorySource, HistorySourcePage, TimeRange, TimeUnit } from '../historySource.ts';
import { contains, type TimeWindow, type UnitOf } from './timeWindow.ts';

/** A row of an answer. Two records may share `key`, which is the exchange’s id and the time. */
export type Row<Item> = {
  readonly item: Item;
  readonly key: string;
  /** The key and a digest of the whole record. */
  readonly id: string;
  readonly time: number;
  /** Whether it belongs to the range and matches the filters that are not sent. */
  readonly isWanted: boolean;
};

export type Answer<Item> = {
  /** In the order of the exchange. */
  readonly rows: readonly Row<Item>[];
  readonly badRecords: readonly BadRecord[];
  /** Every row, also those that are unreadable or outside the question. */
  readonly sent: number;
  readonly outside: number;
  /** Rows outside the question, however the exchange reads its ends. */
  readonly strays: number;
  /** Filters other than the ends that rows contradict. */
  readonly ignoredFilters: readonly IgnoredFilter[];
  /** The number of rows that the exchange counts; null where it names none. */
  readonly count: number | null;
  readonly isRefused: boolean;
};

export function answerOf<Item>(
  page: HistorySourcePage<Item>,
  history: HistorySource<Item>,
  range: TimeRange,
): Answer<Item> {
  const { items, badRecords, rowsOutsidePeriod, totalElements, ignoredFilters } = page;
  const isEnd = ({ parameter }: IgnoredFilter) =>
    parameter === 'dateFrom' || parameter === 'dateTo';
  const rows = items.map((item) => {
    const time = history.timeOf(item);
    const isInRange = time < range.to && (range.from === undefined || time >= range.from);
    const isWanted = isInRange && history.isWanted(item);
    const digest = createHash('sha1').update(history.contentOf(item)).digest('base64').slice(0, 8);
    const key = `${history.idOf(item)} ${time}`;
    return { item, key, id: `${key} ${digest}`, time, isWanted };
  });
  const isCount = totalElements !== null && totalElements >= 0;
  return {
    rows,
    badRecords,
    sent: rows.length + badRecords.length + rowsOutsidePeriod,
    outside: rowsOutsidePeriod,
    strays: ignoredFilters.filter(isEnd).reduce((sum, end) => sum + end.rows, 0),
    ignoredFilters: ignoredFilters.filter((filter) => !isEnd(filter)),
    count: isCount && Number.isSafeInteger(totalElements) ? totalElements : null,
    isRefused: page.isRefused ?? false,
  };
}

export function rowsIn<Item>(rows: readonly Row<Item>[], window: TimeWindow): Row<Item>[] {
  return rows.filter(({ time }) => contains(window, time));
}

export function idsOf(rows: readonly Row<unknown>[]): string[] {
  return rows.map(({ id }) => id);
}

/** Whether both answers have the same ids, each as often. */
export function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join('\n') === other.toSorted().join('\n');
}

export function isMissingAny(expected: readonly string[], rows: readonly Row<unknown>[]): boolean {
  const shown = new Set(idsOf(rows));
  return expected.some((id) => !shown.has(id));
}

export type RowOrder = 'newestFirst' | 'oldestFirst' | 'none';

/** The order of rows by time; undefined where all share one. */
export function orderOf(rows: readonly Row<unknown>[]): RowOrder | undefined {
  const steps = rows.slice(1).map(({ time }, index) => time - (rows[index]?.time ?? time));
  const [rises, falls] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  if (rises && falls) return 'none';
  if (rises) return 'oldestFirst';
  return falls ? 'newestFirst' : undefined;
}

/** How many rows have another time than the most frequent one. */
export function rowsApart(rows: readonly Row<unknown>[]): number {
  const equal = Map.groupBy(rows, ({ time }) => time);
  return rows.length - Math.max(0, ...[...equal.values()].map(({ length }) => length));
}

/** The unit of the row in the middle by time. */
export function middleUnit(rows: readonly Row<unknown>[], unitOf: UnitOf): TimeUnit | undefined {
  const times = rows.map(({ time }) => time).toSorted((a, b) => a - b);
  const middle = times[times.length >> 1];
  return middle === undefined ? undefined : unitOf(middle);
}

const noRows: HistorySourcePage<never> = {
  items: [],
  badRecords: [],
  rowsOutsidePeriod: 0,
  ignoredFilters: [],
  totalElements: null,
};

/** Some exchanges answer 404 to a page past the last one. Another refusal may mean the same. */
export function emptyPageIfPastEnd(page: number, error: unknown): HistorySourcePage<never> {
  if (page === 0 || !(error instanceof ExchangeError)) throw error;
  const { kind, status } = error.failure;
  if (status === 404) return noRows;
  if (kind === 'refused') return { ...noRows, isRefused: true };
  throw error;
}
