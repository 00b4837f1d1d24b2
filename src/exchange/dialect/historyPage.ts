import { timeOf } from '../histories.ts';
import type { Decoded, Page } from '../records.ts';
import type { Period } from './dates.ts';

/** A parameter whose value these rows of an answer contradict: the exchange did not heed it. */
export type Unmatched = { readonly parameter: string; readonly rows: number };

/**
 * What nobody knows of how a request is read, so that rows may be missing from its answer: how several
 * values are written, how dates are, or in which zone local dates are.
 */
export type Undecided = 'listsUndecided' | 'datesUndecided' | 'zoneUnknown';

/** A page without the rows outside the asked period. */
export type HistoryPage<Item> = Decoded<Page<Item>> & {
  /** How many rows were dropped because they lay outside the asked period. */
  readonly outside: number;
  /** Filters that were not heeded. Rows that break another filter than the period's stay in the page. */
  readonly unmatched: readonly Unmatched[];
  readonly undecided: readonly Undecided[];
};

/** What a page was asked by, beside its number and size. */
export type Filters = {
  readonly symbol?: string | undefined;
  readonly side?: string | undefined;
  readonly type?: string | undefined;
  readonly asset?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** The half-open period that is wanted, in epoch milliseconds. */
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
};

/** Drops the rows outside the asked period, and tells which filters the rows contradict. */
export function siftPage<Item extends object>(
  { value, badRecords }: Decoded<Page<Item>>,
  filters: Filters,
  widest: Required<Period>,
): Omit<HistoryPage<Item>, 'undecided'> {
  const { dateFrom = -Infinity, dateTo = Infinity } = filters;
  const isInside = (item: Item): boolean => {
    const time = timeOf(item);
    return time === undefined || (time >= dateFrom && time < dateTo);
  };
  const content = value.content.filter(isInside);
  return {
    value: { ...value, content },
    badRecords,
    outside: value.content.length - content.length,
    unmatched: unmatchedIn(value.content, filters, widest),
  };
}

/** Which parameters these rows contradict, and how many of the rows; of the period, its `widest` reading. */
export function unmatchedIn(
  items: readonly object[],
  { symbol, side, type, asset, statuses = [] }: Filters,
  { from, to }: Required<Period>,
): readonly Unmatched[] {
  const wanted = { symbol, side, type, asset };
  const unlike = Object.entries(wanted).map(([parameter, value]) => {
    const field = (item: object) => (item as Readonly<Record<string, unknown>>)[parameter];
    return told(parameter, items, (item) => !!value && field(item) !== value);
  });
  const others = (item: object): boolean =>
    statuses.length > 0 && !statuses.includes(String((item as { status?: unknown }).status));
  return [
    ...unlike,
    told('statuses', items, others),
    told('dateFrom', items, (item) => (timeOf(item) ?? from) < from),
    told('dateTo', items, (item) => (timeOf(item) ?? -Infinity) >= to),
  ].filter(({ rows }) => rows > 0);
}

function told(
  parameter: string,
  items: readonly object[],
  breaks: (item: object) => boolean,
): Unmatched {
  return { parameter, rows: items.filter(breaks).length };
}
