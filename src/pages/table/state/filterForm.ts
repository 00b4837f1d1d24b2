import type { TimeZone } from '../../../base/timeZone.ts';
import type { Filter, FilterName, TableFilters, TableQuery } from '../../../protocol/table.ts';
import { dateTimeInputValue, parseDateTimeInput } from '../../controls/dateInput.ts';
import type { PageTexts } from './pageTexts.ts';

/** The value of one control. */
export type FormValue = string | readonly string[];

/** The values of the filter controls, by parameter, applied or not. */
export type FormValues = Readonly<Record<string, FormValue>>;

/** By parameter, a sentence that says why the value is invalid. */
export type FieldErrors = Readonly<Record<string, string>>;

type FormContext = {
  readonly filters: readonly Filter[];
  /** The time zone of the dates in the form. */
  readonly zone: TimeZone;
  readonly appliedFilters: TableFilters;
  readonly texts: PageTexts;
};

export function toFormValues(
  query: TableQuery,
  filters: readonly Filter[],
  zone: TimeZone,
): FormValues {
  return Object.fromEntries(
    filters.map((filter) => [
      filter.parameter,
      toFormValue(query.filters[filter.parameter], filter, zone),
    ]),
  );
}

/** The filters without empty values, or else the errors. */
export function parseForm(
  values: FormValues,
  context: FormContext,
): { filters: TableFilters; fieldErrors: null } | { filters: null; fieldErrors: FieldErrors } {
  const fieldErrors = { ...invalidDates(values, context), ...reversedPeriods(values, context) };
  if (Object.keys(fieldErrors).length > 0) return { filters: null, fieldErrors };
  const entries = context.filters.flatMap((filter) => {
    const value = parseValue(values[filter.parameter] ?? '', filter, context);
    return value === null || value.length === 0 ? [] : [[filter.parameter, value] as const];
  });
  return { filters: Object.fromEntries(entries), fieldErrors: null };
}

function toFormValue(
  value: string | string[] | undefined,
  filter: Filter,
  zone: TimeZone,
): FormValue {
  if (filter.kind === 'choices') return Array.isArray(value) ? value : [];
  if (typeof value !== 'string') return '';
  return filter.kind === 'instant' ? dateTimeInputValue(value, zone) : value;
}

function parseValue(
  value: string | readonly string[],
  filter: Filter,
  context: FormContext,
): string | string[] | null {
  if (typeof value !== 'string') return filter.options.filter((option) => value.includes(option));
  return filter.kind === 'instant' ? parseDate(value, filter.parameter, context) : value.trim();
}

function invalidDates(values: FormValues, context: FormContext): FieldErrors {
  const invalid = context.filters.filter(({ kind, parameter }) => {
    const value = values[parameter];
    if (kind !== 'instant' || value === '' || value === undefined) return false;
    return parseDate(value, parameter, context) === null;
  });
  return Object.fromEntries(
    invalid.map(({ parameter, label }) => [parameter, context.texts.invalidInstant(label)]),
  );
}

/** The parameters of a period differ in `From` and `To`. The error is shown at `From`. */
function reversedPeriods(values: FormValues, context: FormContext): FieldErrors {
  const dates = context.filters.filter(({ kind }) => kind === 'instant');
  const reversed = dates.flatMap((from) => {
    const to = dates.find(({ parameter }) => parameter === from.parameter.replace(/From$/, 'To'));
    if (!to || to === from) return [];
    const [start, end] = [from, to].map(({ parameter }) =>
      Date.parse(parseDate(values[parameter], parameter, context) ?? ''),
    );
    if (!(Number(start) > Number(end))) return [];
    return [[from.parameter, context.texts.fromAfterTo(from.label, to.label)] as const];
  });
  return Object.fromEntries(reversed);
}

/** An unedited date stays the applied instant: when clocks go back, two instants look the same. */
function parseDate(
  value: FormValue | undefined,
  parameter: FilterName,
  { zone, appliedFilters }: FormContext,
): string | null {
  if (typeof value !== 'string') return null;
  const applied = appliedFilters[parameter];
  const isUnedited = typeof applied === 'string' && dateTimeInputValue(applied, zone) === value;
  if (isUnedited && value !== '') return applied;
  return parseDateTimeInput(value, zone, parameter.endsWith('To') ? 'last' : 'first');
}
