import type { Period } from '../conventions/dateFormats.ts';
import type { Observation } from '../conventions/learnedConventions.ts';
import type { ExchangeError } from '../exchangeError.ts';
import type { Decoded, Page } from '../records.ts';
import { findIgnoredFilters, matchesFilters, type IgnoredFilter } from './filterRules.ts';
import { timeOf, type HistoryRequest } from './historyRecords.ts';

/**
 * What is assumed about a request, so that rows may be missing from its answer: how several values are
 * written, how dates are written, or the zone of local dates.
 */
export type UnprovenConvention = 'listsUndecided' | 'datesUndecided' | 'zoneUnknown';

/** A page without the rows outside the requested period. */
export type HistoryPage<Item> = Decoded<Page<Item>> & {
  /** How many rows were dropped because they lie outside the requested period. */
  readonly rowsOutsidePeriod: number;
  /** Filters that were ignored. Rows that contradict a filter other than the period stay in the page. */
  readonly ignoredFilters: readonly IgnoredFilter[];
  readonly unproven: readonly UnprovenConvention[];
  /**
   * How many rows were dropped because they do not match filters that were not sent; totals count them
   * too. Undefined where every filter was sent.
   */
  readonly rowsFilteredHere?: number;
};

/** A page or the refusal of its request, and what may be stored about it. */
export type PageAttempt<Item> = { readonly observation: Observation } & (
  { readonly page: HistoryPage<Item> } | { readonly refusal: ExchangeError }
);

/** Drops the rows outside the requested period, and finds the filters that the rows contradict. */
export function filterPage<Item extends object>(
  { value, badRecords }: Decoded<Page<Item>>,
  request: HistoryRequest,
  widestPeriod: Required<Period>,
): Omit<HistoryPage<Item>, 'unproven'> {
  const { from = -Infinity, to = Infinity } = request.period ?? {};
  const isInside = (item: Item): boolean => {
    const time = timeOf(item);
    return time === undefined || (time >= from && time < to);
  };
  const content = value.content.filter(isInside);
  return {
    value: { ...value, content },
    badRecords,
    rowsOutsidePeriod: value.content.length - content.length,
    ignoredFilters: findIgnoredFilters(request, value.content, widestPeriod),
  };
}

/** Drops the rows that do not match filters of a request that were not sent. */
export function dropUnmatched<Item extends object>(
  page: HistoryPage<Item>,
  request: HistoryRequest,
  filteredHere: readonly string[],
): HistoryPage<Item> {
  const { value } = page;
  const content = value.content.filter((item) => matchesFilters(request, filteredHere, item));
  const rowsFilteredHere = value.content.length - content.length;
  return { ...page, value: { ...value, content }, rowsFilteredHere };
}
