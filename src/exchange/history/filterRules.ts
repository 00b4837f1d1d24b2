import { always, type Interval } from '../../base/interval.ts';
import type { operations, ParameterKind } from '../operations.ts';
import { timeOf, type HistoryName, type HistoryRequest, type RecordOf } from './historyRecords.ts';

type ParametersOf<Name extends HistoryName> = (typeof operations)[Name]['parameters'];
type Parameters = Readonly<Record<string, ParameterKind>>;
type FieldOf<Name extends HistoryName> = Exclude<keyof RecordOf[Name] & string, 'extra'>;

/**
 * How the rows of a history show that a parameter was applied. `field`: each row has the requested
 * value there. `period`: by the time of each row. `paging`: it selects no rows. `unverifiable`: no
 * field of a record shows it; a parameter with the name of a field is verified by that field.
 */
type RuleFor<Name extends HistoryName, Parameter, Kind> = Kind extends 'date'
  ? 'period'
  : Parameter extends 'page' | 'size'
    ? 'paging'
    : Parameter extends FieldOf<Name>
      ? { readonly field: Parameter }
      : { readonly field: FieldOf<Name> } | 'unverifiable';

/** One rule for each parameter. A parameter without a rule, and a rule without one, do not compile. */
export type FilterRules<Name extends HistoryName, Of extends Parameters = ParametersOf<Name>> = {
  readonly [Parameter in keyof Of]: RuleFor<Name, Parameter, Of[Parameter]>;
};

const period = { dateFrom: 'period', dateTo: 'period' } as const;
const paging = { page: 'paging', size: 'paging' } as const;

export const filterRules = {
  orders: {
    symbol: { field: 'symbol' },
    type: { field: 'type' },
    side: { field: 'side' },
    statuses: { field: 'status' },
    ...period,
    ...paging,
  },
  trades: { symbol: { field: 'symbol' }, side: { field: 'side' }, ...period, ...paging },
  lots: { symbol: { field: 'symbol' }, side: { field: 'side' }, ...period, ...paging },
  transactions: {
    accountType: 'unverifiable',
    type: { field: 'type' },
    asset: { field: 'asset' },
    ...period,
    ...paging,
  },
} as const satisfies { readonly [Name in HistoryName]: FilterRules<Name> };

type Rules = typeof filterRules;

/** The filters that no field of a record shows. */
export type UnverifiableFilter = {
  [Name in HistoryName]: {
    [Parameter in keyof Rules[Name]]: Rules[Name][Parameter] extends 'unverifiable'
      ? Parameter
      : never;
  }[keyof Rules[Name]];
}[HistoryName];

type FilterRule = { readonly field: string } | 'period' | 'paging' | 'unverifiable';

function rulesOf(operation: HistoryName): readonly (readonly [string, FilterRule])[] {
  return Object.entries<FilterRule>(filterRules[operation]);
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
  return rulesOf(operation).flatMap(([parameter, rule]) => {
    const values = valuesOf(filters, parameter);
    const isContradicted = (item: object): boolean => {
      if (rule === 'period') return isOutside(item, parameter, widestPeriod);
      if (rule === 'paging' || rule === 'unverifiable') return false;
      const value = fieldOf(item, rule.field);
      return values.length > 0 && value !== null && !values.includes(value);
    };
    const rows = items.filter(isContradicted).length;
    return rows > 0 ? [{ parameter, rows }] : [];
  });
}

/** The given filters that no field of a record can prove. */
export function unverifiableFilters(operation: HistoryName, filters: object): readonly string[] {
  return rulesOf(operation).flatMap(([parameter, rule]) =>
    rule === 'unverifiable' && valuesOf(filters, parameter).length > 0 ? [parameter] : [],
  );
}

/** The values that a record may have in each field, for the filters that a field shows. */
export function fieldValues({
  operation,
  filters,
}: FilteredHistory): Readonly<Record<string, readonly string[]>> {
  const values = rulesOf(operation).flatMap(([parameter, rule]) => {
    const chosen = valuesOf(filters, parameter).map(String);
    return typeof rule === 'string' || chosen.length === 0 ? [] : [[rule.field, chosen] as const];
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
function valuesOf(filters: object, parameter: string): readonly unknown[] {
  const value = fieldOf(filters, parameter);
  if (Array.isArray(value)) return value;
  return value === undefined || value === '' ? [] : [value];
}

function fieldOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field];
}

function isOutside(item: object, parameter: string, { from, to }: Interval): boolean {
  const time = timeOf(item);
  if (time === undefined) return false;
  return parameter === 'dateFrom' ? time < from : time >= to;
}
