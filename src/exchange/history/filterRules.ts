import { always, type Interval } from '../../base/interval.ts';
import { parametersOf, type HistoryName, type Parameter } from '../../api/operations.ts';
import { timeOf, type HistoryRequest } from './records.ts';

/** The field whose value in each row shows that a filter was applied; null if there is none. */
function fieldShowing(parameter: Parameter): string | null {
  return 'field' in parameter ? parameter.field : null;
}

type FilteredHistory = Pick<HistoryRequest, 'operation' | 'filters'>;

/** A parameter that rows of an answer contradict: the exchange ignored it. */
export type IgnoredFilter = { readonly parameter: string; readonly rows: number };

/** The parameters that rows contradict, with the number of these rows; the period in its widest reading. An unknown value contradicts none. */
export function findIgnoredFilters(
  { operation, filters }: FilteredHistory,
  items: readonly object[],
  widestPeriod: Interval,
): readonly IgnoredFilter[] {
  return [...parametersOf(operation)].flatMap(([parameter, description]) => {
    const values = valuesOf(filters, parameter);
    const field = fieldShowing(description);
    const isContradicted = (item: object): boolean => {
      if (description.kind === 'date') return isOutside(item, parameter, widestPeriod);
      const value = field === null ? null : fieldOf(item, field);
      return values.length > 0 && value !== null && !values.includes(String(value));
    };
    const rows = items.filter(isContradicted).length;
    return rows > 0 ? [{ parameter, rows }] : [];
  });
}

export function hasFilters({ operation, filters }: FilteredHistory): boolean {
  return [...parametersOf(operation).keys()].some((name) => valuesOf(filters, name).length > 0);
}

/** The given filters that a field of each record shows. */
export function verifiableFilters({ operation, filters }: FilteredHistory): readonly string[] {
  return [...parametersOf(operation)].flatMap(([parameter, description]) =>
    fieldShowing(description) !== null && valuesOf(filters, parameter).length > 0
      ? [parameter]
      : [],
  );
}

/** The given filters that no field of a record can prove. */
export function unverifiableFilters(operation: HistoryName, filters: object): readonly string[] {
  return [...parametersOf(operation)].flatMap(([parameter, description]) =>
    fieldShowing(description) === null && valuesOf(filters, parameter).length > 0
      ? [parameter]
      : [],
  );
}

/** The values that a record may have in each field, for the filters that a field shows. */
export function fieldValues({
  operation,
  filters,
}: FilteredHistory): Readonly<Record<string, readonly string[]>> {
  const values = [...parametersOf(operation)].flatMap(([parameter, description]) => {
    const chosen = valuesOf(filters, parameter);
    const field = fieldShowing(description);
    return field === null || chosen.length === 0 ? [] : [[field, chosen] as const];
  });
  return Object.fromEntries(values);
}

/** Whether a row has the requested values of some filters, which were not sent. */
export function matchesFilters(
  selection: FilteredHistory,
  parameters: readonly string[],
  item: object,
): boolean {
  if (parameters.length === 0) return true;
  const ignored = findIgnoredFilters(selection, [item], always);
  return !ignored.some(({ parameter }) => parameters.includes(parameter));
}

/** The same request or selection without some filters. */
export function withoutFilters<Selection extends FilteredHistory>(
  selection: Selection,
  parameters: readonly string[],
): Selection {
  const sent = Object.entries(selection.filters).filter(([name]) => !parameters.includes(name));
  return { ...selection, filters: Object.fromEntries(sent) };
}

/** Empty text and an empty list are not filters. */
function valuesOf(filters: object, parameter: string): readonly string[] {
  const value = (filters as Readonly<Record<string, string | readonly string[] | undefined>>)[
    parameter
  ];
  return [value ?? []].flat().filter((one) => one !== '');
}

function fieldOf(record: object, field: string): string | boolean | null | undefined {
  return (record as Readonly<Record<string, string | boolean | null>>)[field];
}

function isOutside(item: object, parameter: string, { from, to }: Interval): boolean {
  const time = timeOf(item);
  if (time === undefined) return false;
  return parameter === 'dateFrom' ? time < from : time >= to;
}
