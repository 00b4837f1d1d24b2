import { createHash } from 'node:crypto';
import { ExchangeError } from '../../exchangeError.ts';
import type { BadRecord } from '../../records.ts';
import type { IgnoredFilter } from '../filterRules.ts';
import type { HistorySource, HistorySourcePage, TimeRange } from '../historySource.ts';
import { contains, type TimeWindow } from './timeWindow.ts';

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
  /** In the order of the exchange; also those outside the question. */
  readonly rows: readonly Row<Item>[];
  readonly badRecords: readonly BadRecord[];
  /** Every row, also those that are unreadable. */
  readonly sent: number;
  /** Filters other than the ends that rows contradict. */
  readonly ignoredFilters: readonly IgnoredFilter[];
  /** The number of rows that the exchange counts; null where it names none. */
  readonly count: number | null;
  /** The page was refused: it may be past the end, or unavailable. */
  readonly isRefused: boolean;
};

export function answerOf<Item>(
  { items, badRecords, totalElements, ignoredFilters }: HistorySourcePage<Item>,
  history: HistorySource<Item>,
  range: TimeRange,
): Answer<Item> {
  const rows = items.map((item) => {
    const time = history.timeOf(item);
    const isInRange = contains({ from: range.from ?? null, to: range.to }, time);
    const isWanted = isInRange && history.isWanted(item);
    const digest = createHash('sha1').update(history.contentOf(item)).digest('base64').slice(0, 8);
    const key = `${history.idOf(item)} ${time}`;
    return { item, key, id: `${key} ${digest}`, time, isWanted };
  });
  const sent = rows.length + badRecords.length;
  const isCount = Number.isSafeInteger(totalElements) && Number(totalElements) >= 0;
  const count = isCount ? totalElements : null;
  return { rows, badRecords, sent, ignoredFilters, count, isRefused: false };
}

const noAnswer = { rows: [], badRecords: [], sent: 0, ignoredFilters: [], count: null } as const;

/** Some exchanges answer 404 to a page past the last one. Another refusal may mean the same. */
export function emptyIfPastEnd(page: number, error: unknown): Answer<never> {
  if (page === 0 || !(error instanceof ExchangeError)) throw error;
  const { kind, status } = error.failure;
  if (status !== 404 && kind !== 'refused') throw error;
  return { ...noAnswer, isRefused: status !== 404 };
}

/** What an answer or several pages gave. */
export type Reading<Item> = Pick<Answer<Item>, 'rows' | 'badRecords' | 'ignoredFilters'>;

export function readingOf<Item>(pages: readonly Answer<Item>[]): Reading<Item> {
  return {
    rows: pages.flatMap((page) => page.rows),
    badRecords: pages.flatMap((page) => page.badRecords),
    ignoredFilters: pages.flatMap((page) => page.ignoredFilters),
  };
}

export function placesOf(pages: readonly Answer<unknown>[]): number {
  return pages.reduce((sum, { sent }) => sum + sent, 0);
}

export function rowsIn<Item>(rows: readonly Row<Item>[], window: TimeWindow): Row<Item>[] {
  return rows.filter(({ time }) => contains(window, time));
}

export function idsOf(rows: readonly Row<unknown>[]): string[] {
  return rows.map(({ id }) => id);
}

/** Whether both have the same rows, each as often. */
export function areSame(one: readonly Row<unknown>[], other: readonly Row<unknown>[]): boolean {
  return idsOf(one).toSorted().join('\n') === idsOf(other).toSorted().join('\n');
}

export function hasAll(rows: readonly Row<unknown>[], expected: readonly Row<unknown>[]): boolean {
  const shown = new Set(idsOf(rows));
  return expected.every(({ id }) => shown.has(id));
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

export function sumFilters(filters: readonly IgnoredFilter[]): IgnoredFilter[] {
  const rows = new Map<string, number>();
  for (const one of filters) rows.set(one.parameter, (rows.get(one.parameter) ?? 0) + one.rows);
  return [...rows].map(([parameter, sum]) => ({ parameter, rows: sum }));
}
