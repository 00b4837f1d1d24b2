import * as v from 'valibot';
import {
  tableStateSchema,
  type Filter,
  type TableDescription,
  type TableQuery,
} from '../../protocol/table.ts';

type Filters = TableQuery['filters'];

/**
 * What to ask for first: what was kept of an earlier page where it is this table's and still fits
 * its filters and page sizes, else everything from the start.
 */
export function restoredQuery(kept: unknown, description: TableDescription): TableQuery {
  const parsed = v.safeParse(tableStateSchema, kept);
  const query =
    parsed.success && parsed.output.table === description.table ? parsed.output.query : undefined;
  const [firstSize = 20] = description.pageSizes;
  if (!query) return { filters: {}, page: 0, size: firstSize };
  return {
    filters: fittingFilters(query.filters, description.filters),
    page: query.page,
    size: description.pageSizes.includes(query.size) ? query.size : firstSize,
  };
}

/** How many parameters a query filters by. */
export function filterCount(query: TableQuery): number {
  return Object.keys(query.filters).length;
}

function fittingFilters(kept: Filters, filters: readonly Filter[]): Filters {
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
  return filter.kind === 'choice' ? isOffered(value) : true;
}
