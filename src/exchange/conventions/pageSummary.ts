import { parseCount } from '../../base/decimal.ts';
import { contains, lengthOf, type Interval } from '../../base/interval.ts';
import { missingRecords } from '../badRecords.ts';
import type { HistoryName } from '../../api/operations.ts';
import { timeOf } from '../history/historyRecords.ts';
import { identityOf } from '../recordIdentity.ts';
import type { Decoded, Page } from '../records.ts';
import type { ApiConventions } from './apiConventions.ts';
import {
  maxRecordedTextLength,
  maxRecordedParameters,
  type Observation,
  type ObservedRows,
} from './learnedConventions.ts';
import type { QueryPairs } from './queryWriter.ts';

/** What detection needs of a row. */
type RowSummary = { readonly id: string; readonly time: number | undefined };

/** What detection needs of a page. */
export type PageSummary = {
  readonly rows: readonly RowSummary[];
  /** Includes the records that could not be read. */
  readonly recordCount: number;
  /** From the envelope; undefined if it is not a count. */
  readonly reportedSize: number | undefined;
  readonly totalPages: number | undefined;
  readonly totalElements: number | undefined;
};

export function summarizePage({ value, badRecords }: Decoded<Page<object>>): PageSummary {
  const rows = value.content.map((item) => ({ id: identityOf(item), time: timeOf(item) }));
  const { size, totalPages, totalElements } = value;
  return {
    rows,
    recordCount: rows.length + missingRecords(badRecords).length,
    reportedSize: parseCount(size),
    totalPages: parseCount(totalPages),
    totalElements: parseCount(totalElements),
  };
}

/** What is stored about a page as evidence. */
export function observedRows(page: PageSummary): ObservedRows {
  const textOf = (count: number | undefined) => (count === undefined ? '—' : String(count));
  return {
    kind: 'rows',
    rows: page.recordCount,
    firstTime: page.rows.at(0)?.time ?? null,
    lastTime: page.rows.at(-1)?.time ?? null,
    size: textOf(page.reportedSize),
    totalPages: textOf(page.totalPages),
    totalElements: textOf(page.totalElements),
  };
}

const recordedParameters: ReadonlySet<string> = new Set([
  'page',
  'size',
  'dateFrom',
  'dateTo',
  'statuses',
]);

/** Only parameters that may be stored: no symbol, no asset. */
export function createObservation(
  operation: HistoryName,
  pairs: QueryPairs,
  answer: Observation['answer'],
): Observation {
  const recorded = pairs.filter(([name]) => recordedParameters.has(name.replace('[]', '')));
  const asked = recorded
    .slice(0, maxRecordedParameters)
    .map(([name, value]) => [name, value.slice(0, maxRecordedTextLength)] as const);
  return { operation, asked, answer };
}

/** The order of rows by time; undefined for fewer than two times. */
export function detectSortOrder(rows: readonly RowSummary[]): ApiConventions['sort'] | undefined {
  const times = rows.flatMap(({ time }) => time ?? []);
  if (new Set(times).size < 2) return undefined;
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  if (steps.every((step) => step <= 0)) return 'newestFirst';
  return steps.every((step) => step >= 0) ? 'oldestFirst' : 'none';
}

/** `cap`: a page holds at most `size` rows. `whole`: as many rows came as were asked for. */
type PageSizeEvidence =
  | { readonly kind: 'cap'; readonly size: number }
  | { readonly kind: 'whole' };

/**
 * What the first page says about the page cap; undefined if it says nothing. The `size` of an
 * envelope may be the number of its rows, and its total may ignore the filters: a cap is believed
 * only if the number of pages agrees with both.
 */
export function pageSizeEvidence(
  requestedSize: number,
  { recordCount, reportedSize, totalElements, totalPages }: PageSummary,
): PageSizeEvidence | undefined {
  if (recordCount >= requestedSize) return { kind: 'whole' };
  if (recordCount === 0 || reportedSize !== recordCount) return undefined;
  const hasMore = totalElements !== undefined && totalElements > recordCount;
  const agrees = hasMore && totalPages === Math.ceil(totalElements / recordCount);
  return agrees ? { kind: 'cap', size: recordCount } : undefined;
}

/** The number of a page among rows that are known from the first on, in pages of this size. */
export function findPageNumber(
  known: readonly RowSummary[],
  size: number,
  rows: readonly RowSummary[],
): number | undefined {
  const pages = rows.flatMap(({ id }) => {
    const index = known.findIndex((row) => row.id === id);
    return index < 0 ? [] : [Math.floor(index / size)];
  });
  const counts = new Map<number, number>();
  for (const page of pages) counts.set(page, (counts.get(page) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most && most[1] * 2 > rows.length && rows.length <= size ? most[0] : undefined;
}

/**
 * Whether a page repeats an earlier one, apart from rows that came or left in between; undefined
 * if exactly half of the rows were repeated.
 */
export function isRepeatedPage(
  earlier: readonly RowSummary[],
  later: readonly RowSummary[],
): boolean | undefined {
  const ids = new Set(later.map(({ id }) => id));
  const repeated = earlier.filter(({ id }) => ids.has(id)).length;
  return repeated * 2 === earlier.length ? undefined : repeated * 2 > earlier.length;
}

/**
 * The shortest period that begins and ends with known rows, and has known rows outside of it;
 * undefined if all known rows share one unit.
 */
export function choosePeriodToProbe(
  known: readonly RowSummary[],
  unitOf: (epochMs: number) => Interval,
): Interval | undefined {
  const units = unitsIn(known, unitOf);
  if (units.length < 3) return units[1];
  const inner = units.length === 3 ? units.slice(1) : units.slice(1, -1);
  const periods = inner.slice(1).map(({ to }, index) => ({ from: inner[index]?.from ?? to, to }));
  return periods.sort((one, other) => lengthOf(one) - lengthOf(other))[0];
}

/**
 * A period beside all known rows, on the side where the next page would be; far enough that none of
 * them lies in it, even if the exchange includes the unit at its end.
 */
export function choosePeriodBeside(
  known: readonly RowSummary[],
  unitOf: (epochMs: number) => Interval,
): Interval | undefined {
  const units = unitsIn(known, unitOf);
  const [oldest, newest] = [units[0], units.at(-1)];
  if (!oldest || !newest) return undefined;
  if (detectSortOrder(known) === 'oldestFirst') return unitOf(newest.to);
  return unitOf(unitOf(oldest.from - 1).from - 1);
}

function unitsIn(
  known: readonly RowSummary[],
  unitOf: (epochMs: number) => Interval,
): readonly Interval[] {
  const times = known.flatMap(({ time }) => time ?? []).sort((a, b) => a - b);
  const units: Interval[] = [];
  for (const time of times) if (time >= (units.at(-1)?.to ?? -Infinity)) units.push(unitOf(time));
  return units;
}

/** A period that was requested, and the widest that its written dates can mean. */
type RequestedPeriod = {
  readonly period: Interval;
  readonly widestPeriod: Interval;
};

/**
 * Whether an answer proves that the exchange understood the period: it has rows, none lies outside,
 * and no row that is known inside is missing. A page that was cut at its size may lack known rows.
 */
export function isPeriodRespected(
  known: readonly RowSummary[],
  { period, widestPeriod }: RequestedPeriod,
  { rows, recordCount }: PageSummary,
  size: number,
): boolean {
  const returned = new Set(rows.map(({ id }) => id));
  if (rows.length === 0 || !rows.every((row) => mayBeIn(widestPeriod, row))) return false;
  const isMissing = (row: RowSummary): boolean =>
    row.time !== undefined && mayBeIn(period, row) && !returned.has(row.id);
  return recordCount >= size || !known.some(isMissing);
}

function mayBeIn(period: Interval, { time }: RowSummary): boolean {
  return time === undefined || contains(period, time);
}
