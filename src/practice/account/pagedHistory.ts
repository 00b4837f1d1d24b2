import { dayMs } from '../../base/time.ts';

/** Section 2.1 of the API document. */
export type Page<Row> = {
  readonly content: readonly Row[];
  readonly size: number;
  readonly totalPages: number;
  readonly totalElements: number;
};

/**
 * A row passes when it is in the period, both ends included, and each named field has the value, or one
 * of the values.
 */
export type HistoryFilter<Row> = {
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
} & {
  readonly [Name in keyof Row]?: Row[Name] | readonly Row[Name][] | undefined;
};

/** The fields that sort a history: by time, then by id. */
export type RowSort<Row> = {
  readonly timeOf: (row: Row) => number;
  readonly idOf: (row: Row) => bigint;
};

const defaultPageSize = 20;
const largestPageSize = 500;

/** The rows that pass the filter, newest first. */
export function filterRows<Row extends object>(
  rows: readonly Row[],
  { dateFrom = -Infinity, dateTo = Infinity, ...wanted }: HistoryFilter<Row>,
  { timeOf, idOf }: RowSort<Row>,
): Row[] {
  const conditions = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const passes = (row: Row): boolean =>
    conditions.every(([name, value]) => {
      const own = (row as Readonly<Record<string, unknown>>)[name];
      return Array.isArray(value) ? value.includes(own) : own === value;
    });
  return rows
    .filter((row) => timeOf(row) >= dateFrom && timeOf(row) <= dateTo && passes(row))
    .sort((one, other) => timeOf(other) - timeOf(one) || (idOf(one) < idOf(other) ? 1 : -1));
}

/** The page with this number, counted from 0. The size is at most 500; a page past the end is empty. */
export function pageOf<Row>(rows: readonly Row[], page = 0, size = defaultPageSize): Page<Row> {
  const usedSize = Math.min(size, largestPageSize);
  return {
    content: rows.slice(page * usedSize, (page + 1) * usedSize),
    size: usedSize,
    totalPages: Math.ceil(rows.length / usedSize),
    totalElements: rows.length,
  };
}

const weekMs = 7 * dayMs;
/** 1970-01-05, the first Monday of the Unix epoch. */
const firstMonday = 4 * dayMs;

/** The Monday 00:00 UTC at or before `time`. */
export function weekStart(time: number): number {
  return firstMonday + Math.floor((time - firstMonday) / weekMs) * weekMs;
}

export function weekEnd(start: number): number {
  return start + weekMs;
}

/** The start of the histories: of the week that was 90 days before `now`. */
export function historyStart(now: number): number {
  return weekStart(now - 90 * dayMs);
}

/** The starts of all weeks of the histories, the current week first. */
export function historyWeeks(now: number): number[] {
  const latest = weekStart(now);
  const count = (latest - historyStart(now)) / weekMs + 1;
  return Array.from({ length: count }, (_, index) => latest - index * weekMs);
}
