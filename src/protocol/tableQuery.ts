import type { Filter, TableDescription, TableFilters, TableQuery } from './table.ts';
import { ledgerPageSize, type TableSource } from './values.ts';

/**
 * The first query of a page: the last one of its panel as far as it fits the table, else the first page
 * without filters. Initial filters of the host replace those of the last query.
 */
export function restoreQuery(description: TableDescription): TableQuery {
  const { query, filters, pageSizes, initialFilters, source } = description;
  const valid = validFilters(initialFilters ?? query?.filters ?? {}, filters);
  const restored = { ...filtersAfterReset({}, filters), ...valid };
  const first = firstPageFrom(source ?? 'exchange', restored, description);
  if (!query || sourceOf(query) !== sourceOf(first)) return first;
  const isSizeKnown = !first.ledger && pageSizes.includes(query.size);
  const sized = isSizeKnown ? { ...first, size: query.size } : first;
  if (initialFilters) return sized;
  const { page, part, ledger } = query;
  return {
    ...sized,
    page: pageSizes.length === 0 ? 0 : page,
    ...(part && !part.isLatest ? { part } : {}),
    ...(ledger ? { ledger: { search: ledger.search, sort: ledger.sort } } : {}),
  };
}

/** What is asked first: of the ledger the first rows, which come sooner. */
export function startOf(query: TableQuery): TableQuery {
  return query.ledger ? { ...query, ledger: { ...query.ledger, isStart: true } } : query;
}

export function sourceOf({ ledger }: TableQuery): TableSource {
  return ledger ? 'ledger' : 'exchange';
}

/** Whether it asks for the rows that a search of the ledger finds. */
export function isSearched({ ledger }: TableQuery): boolean {
  return ledger !== undefined && ledger.search !== '';
}

/** Newest first. */
const allOfLedger: TableQuery['ledger'] = { search: '', sort: null };

/** The first page of a source; of the ledger, all rows that fit. */
export function firstPageFrom(
  source: TableSource,
  filters: TableFilters,
  { pageSize }: TableDescription,
): TableQuery {
  return source === 'ledger'
    ? { filters, page: 0, size: ledgerPageSize, ledger: allOfLedger }
    : { filters, page: 0, size: pageSize };
}

/** The first page of other filters: of the latest part of their period. */
export function firstPageOf({ size, ledger }: TableQuery, filters: TableFilters): TableQuery {
  return { filters, page: 0, size, ...(ledger ? { ledger } : {}) };
}

/** The query again, up to now if it is for the latest part of a period. */
export function withoutLatestPart(query: TableQuery): TableQuery {
  const { part, ...rest } = query;
  return part?.isLatest ? rest : query;
}

/** Whether both ask for the same rows. */
export function isSameQuery(one: TableQuery, other: TableQuery): boolean {
  const key = ({ page, size, part, ledger }: TableQuery): string =>
    JSON.stringify([page, size, part, ledger]);
  return key(one) === key(other) && hasSameFilters(one, other);
}

/** An empty text filters nothing. */
export function hasSameFilters(one: Filtered, other: Filtered): boolean {
  const key = ({ filters }: Filtered): string => {
    const set = Object.entries(filters).filter(([, value]) => value !== '');
    return JSON.stringify(set.sort());
  };
  return key(one) === key(other);
}
type Filtered = Pick<TableQuery, 'filters'>;

/** How many filters are set; both ends of a period are one. A switch does not count: it is always set. */
export function filterCount(query: TableQuery, filters: readonly Filter[]): number {
  const set = filters.filter(({ parameter }) => query.filters[parameter] !== undefined);
  const others = set.filter(({ kind }) => kind !== 'switch' && kind !== 'instant');
  return others.length + (set.some(({ kind }) => kind === 'instant') ? 1 : 0);
}

/** Only the switches stay, each at its current option or else at its first. */
export function filtersAfterReset(current: TableFilters, filters: readonly Filter[]): TableFilters {
  const switches = filters.filter(({ kind }) => kind === 'switch');
  return Object.fromEntries(
    switches.map(({ parameter, options: [first = ''] }) => [
      parameter,
      current[parameter] ?? first,
    ]),
  );
}

function validFilters(values: TableFilters, filters: readonly Filter[]): TableFilters {
  const valid = filters.flatMap((filter) => {
    const value = Object.hasOwn(values, filter.parameter) ? values[filter.parameter] : undefined;
    return value !== undefined && isValid(value, filter)
      ? [[filter.parameter, value] as const]
      : [];
  });
  return Object.fromEntries(valid);
}

function isValid(value: string | string[], filter: Filter): boolean {
  const isOption = (text: string): boolean => filter.options.includes(text);
  if (filter.kind === 'choices')
    return Array.isArray(value) && value.length > 0 && value.every(isOption);
  if (Array.isArray(value) || value === '') return false;
  return filter.kind === 'choice' || filter.kind === 'switch' ? isOption(value) : true;
}
