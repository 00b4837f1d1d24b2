import * as v from 'valibot';
import {
  tableStateSchema,
  type Filter,
  type TableDescription,
  type TableFilters,
  type TableQuery,
} from '../../protocol/table.ts';

/**
 * What to ask for first: what was kept of an earlier page where it is this table's and still fits
 * its filters and page sizes, else everything from the start. Filters that the host wants to begin
 * with take the place of those that were kept.
 */
export function restoredQuery(kept: unknown, description: TableDescription): TableQuery {
  const { filters, pageSizes, startWith } = description;
  const query = keptQuery(kept, description);
  const [firstSize = 20] = pageSizes;
  return {
    filters: {
      ...switchedFilters({}, filters),
      ...fittingFilters(startWith ?? query?.filters ?? {}, filters),
    },
    page: startWith || pageSizes.length === 0 ? 0 : (query?.page ?? 0),
    size: query && pageSizes.includes(query.size) ? query.size : firstSize,
  };
}

/** How many parameters a query filters by; a switch says which rows there are, not which of them to show. */
export function filterCount(query: TableQuery, filters: readonly Filter[]): number {
  const isSwitch = ({ kind }: Filter): boolean => kind === 'switch';
  return Object.keys(query.filters).length - filters.filter(isSwitch).length;
}

/** What is left when every filter is reset: the switches, each as it stands or at its first option. */
export function switchedFilters(current: TableFilters, filters: readonly Filter[]): TableFilters {
  const switches = filters.filter(({ kind }) => kind === 'switch');
  return Object.fromEntries(
    switches.map(({ parameter, options: [first = ''] }) => [
      parameter,
      current[parameter] ?? first,
    ]),
  );
}

function keptQuery(kept: unknown, { table }: TableDescription): TableQuery | undefined {
  const parsed = v.safeParse(tableStateSchema, kept);
  return parsed.success && parsed.output.table === table ? parsed.output.query : undefined;
}

function fittingFilters(kept: TableFilters, filters: readonly Filter[]): TableFilters {
  const fitting = filters.flatMap((filter) => {
    const value = Object.hasOwn(kept, filter.parameter) ? kept[filter.parameter] : undefined;
    return value !== undefined && fits(value, filter) ? [[filter.parameter, value] as const] : [];
  });
  return Object.fromEntries(fitting);
}

function fits(value: string | string[], filter: Filter): boolean {
  const isOffered = (option: string): boolean => filter.options.includes(option);
  if (filter.kind === 'choices')
    return Array.isArray(value) && value.length > 0 && value.every(isOffered);
  if (Array.isArray(value) || value === '') return false;
  return filter.kind === 'choice' || filter.kind === 'switch' ? isOffered(value) : true;
}
