import { parseCount } from '../../base/decimal.ts';
import { always, contains, type Interval } from '../../base/interval.ts';
import type { Observation } from '../conventions/learnedConventions.ts';
import type { ExchangeError } from '../exchangeError.ts';
import type { Decoded, Page } from '../records.ts';
import {
  findIgnoredFilters,
  matchesFilters,
  withoutFilters,
  type IgnoredFilter,
} from './filterRules.ts';
import { timeOf, type HistoryRequest } from './historyRecords.ts';

/**
 * What is assumed about a request, so that rows may be missing from its answer: how dates are written, or
 * the zone of local dates.
 */
export type UnprovenConvention = 'datesUndecided' | 'zoneUnknown';

/** A page without the rows outside the requested period. */
export type HistoryPage<Item> = Decoded<Page<Item>> & {
  /** Every readable row in the order of the exchange, also those that the page does not have. */
  readonly sent: readonly Item[];
  /** How many rows were dropped because they lie outside the requested period. */
  readonly rowsOutsidePeriod: number;
  /** Filters that were ignored. Rows that contradict a filter other than the period stay in the page. */
  readonly ignoredFilters: readonly IgnoredFilter[];
  readonly unproven: readonly UnprovenConvention[];
  /**
   * How many rows were dropped because they do not match filters that were not sent; totals count them
   * too. Undefined if every filter was sent.
   */
  readonly rowsFilteredHere?: number;
  /** There was no list, and no count says that no row is left. */
  readonly isEndOpen?: boolean;
};

/** A page or the refusal of its request, and what may be stored about it. */
export type PageAttempt<Item> = { readonly observation: Observation } & (
  | { readonly page: HistoryPage<Item> }
  | { readonly refusal: ExchangeError }
);

/** A list that is null is empty, unless the exchange counts rows from this page on. */
export function withEmptyList<Item>(
  { value, badRecords }: Decoded<Page<Item>>,
  page: number,
  askedSize: number,
): Decoded<Page<Item>> & { readonly isEndOpen: boolean } {
  const others = badRecords.filter(({ path }) => path !== listPath);
  const count = parseCount(value.totalElements);
  const size = Math.min(askedSize, Math.max(1, parseCount(value.size) ?? askedSize));
  const isNull = others.length < badRecords.length && (count ?? 0) <= page * size;
  return {
    value,
    badRecords: isNull ? others : badRecords,
    isEndOpen: isNull && count === undefined,
  };
}

/** Where a page has its rows, and a list that is null is reported. */
export const listPath = '$.content';

/**
 * Drops the rows outside the requested period, and those that do not match the filters that were not
 * sent; finds the filters that the rows contradict.
 */
export function filterPage<Item extends object>(
  { value, badRecords }: Decoded<Page<Item>>,
  request: HistoryRequest,
  filteredHere: readonly string[],
  widestPeriod: Interval,
): Omit<HistoryPage<Item>, 'unproven'> {
  const { period = always } = request;
  const inside = value.content.filter((item) => {
    const time = timeOf(item);
    return time === undefined || contains(period, time);
  });
  const content = inside.filter((item) => matchesFilters(request, filteredHere, item));
  const sent = withoutFilters(request, filteredHere);
  return {
    value: { ...value, content },
    sent: value.content,
    badRecords,
    rowsOutsidePeriod: value.content.length - inside.length,
    ignoredFilters: findIgnoredFilters(sent, value.content, widestPeriod),
    ...(filteredHere.length > 0 && { rowsFilteredHere: inside.length - content.length }),
  };
}
