import { secondMs } from '../../../base/time.ts';
import { lastDays, type TimeZone } from '../../../base/timeZone.ts';
import type { Filter, TableFilters, TableQuery } from '../../../protocol/table.ts';
import type { PageTexts } from '../state/pageTexts.ts';

/** The value of one control; null for a date that is only partly filled in. */
export type FormValue = string | readonly string[] | null;

/** The values of the filter controls, by parameter, applied or not. */
export type FormValues = Readonly<Record<string, FormValue>>;

/** By parameter, a sentence that says why the value is invalid. */
export type FieldErrors = Readonly<Record<string, string>>;

export type FormContext = {
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
  const fieldErrors = { ...incompleteDates(values, context), ...reversedPeriods(values, context) };
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

function incompleteDates(values: FormValues, context: FormContext): FieldErrors {
  const incomplete = context.filters.filter(({ kind, parameter }) => {
    const value = values[parameter];
    if (kind !== 'instant' || value === '' || value === undefined) return false;
    return parseDate(value, parameter, context) === null;
  });
  return Object.fromEntries(
    incomplete.map(({ parameter, label }) => [parameter, context.texts.incompleteInstant(label)]),
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
  parameter: string,
  { zone, appliedFilters }: FormContext,
): string | null {
  if (typeof value !== 'string') return null;
  const applied = appliedFilters[parameter];
  const isUnedited = typeof applied === 'string' && dateTimeInputValue(applied, zone) === value;
  return isUnedited && value !== '' ? applied : parseDateTimeInput(value, zone);
}

/**
 * Sets the period to the last days, today included. It ends in the last second of today, because a
 * query includes the whole second of its end. If clocks go back at midnight, that second occurs
 * twice; then the period ends one second later, rather than one hour too early.
 */
export function withLastDays(
  values: FormValues,
  count: number,
  now: number,
  zone: TimeZone,
): FormValues {
  const { from, to } = lastDays(count, now, zone);
  const inputValue = (epochMs: number): string =>
    dateTimeInputValue(new Date(epochMs).toISOString(), zone);
  const last = inputValue(to - secondMs);
  const isUnique = parseDateTimeInput(last, zone) === new Date(to - secondMs).toISOString();
  return { ...values, dateFrom: inputValue(from), dateTo: isUnique ? last : inputValue(to) };
}

/** The value of a `datetime-local` input: `2026-11-20T10:00`, or with seconds. */
const inputFormat = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** The instant in UTC, to the second (`2026-11-20T10:00:00.000Z`); null for an invalid value. */
export function parseDateTimeInput(value: string, zone: TimeZone): string | null {
  const clockMs = inputFormat.test(value) ? Date.parse(`${value}Z`) : Number.NaN;
  if (Number.isNaN(clockMs)) return null;
  return new Date(zone.toEpochMs(Math.floor(clockMs / 1000) * 1000)).toISOString();
}

/** Without seconds if they are zero, as the input itself writes it. */
export function dateTimeInputValue(instant: string, zone: TimeZone): string {
  const epochMs = Date.parse(instant);
  if (Number.isNaN(epochMs)) return '';
  const local = new Date(zone.toLocalMs(epochMs)).toISOString().slice(0, 19);
  return inputFormat.test(local) ? local.replace(/(T\d\d:\d\d):00$/, '$1') : '';
}
