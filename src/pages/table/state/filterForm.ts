import type { Filter, FilterName, TableFilters } from '../../../protocol/table.ts';
import { dateTimeInputValue, parseDateTimeInput } from '../../controls/dateInput.ts';
import type { FieldErrors, FormValue, OpenState } from './pageState.ts';

/** The part of a page that its form is of. */
type Form = Pick<OpenState, 'formValues' | 'query' | 'display' | 'texts'>;

/** What the control of a filter shows: as it was typed, or else as it is applied. */
export function formValue(filter: Filter, form: Form): FormValue {
  return form.formValues[filter.parameter] ?? appliedValue(filter, form);
}

function appliedValue({ parameter, kind }: Filter, { query, display }: Form): FormValue {
  const value = query.filters[parameter] ?? (kind === 'choices' ? [] : '');
  return kind === 'instant' ? dateTimeInputValue(String(value), display.zone) : value;
}

/** These filters without empty values, or else the errors. */
export function parseForm(
  filters: readonly Filter[],
  form: Form,
): { filters: TableFilters; fieldErrors: null } | { filters: null; fieldErrors: FieldErrors } {
  const values = filters.map((filter) => ({ filter, value: parseValue(filter, form) }));
  const invalid = values.flatMap(({ filter: { parameter, label }, value }) =>
    value === null ? [[parameter, form.texts.invalidInstant(label)] as const] : [],
  );
  const errors = [...invalid, ...reversedPeriod(values, form)];
  if (errors.length > 0) return { filters: null, fieldErrors: Object.fromEntries(errors) };
  const entries = values.flatMap(({ filter, value }) =>
    value === null || value.length === 0 ? [] : [[filter.parameter, value] as const],
  );
  return { filters: Object.fromEntries(entries), fieldErrors: null };
}

type ParsedValue = { readonly filter: Filter; readonly value: FormValue | null };

/** The error is shown at the start of the period. */
function reversedPeriod(
  values: readonly ParsedValue[],
  { texts }: Form,
): readonly (readonly [FilterName, string])[] {
  const [from, to] = (['dateFrom', 'dateTo'] as const).map((name) =>
    values.find(({ filter }) => filter.parameter === name),
  );
  if (!from || !to || !(Date.parse(String(from.value)) > Date.parse(String(to.value)))) return [];
  return [['dateFrom', texts.fromAfterTo(from.filter.label, to.filter.label)]];
}

/**
 * Null for what is no date. A value that shows what is applied stays as it is: when clocks go back, two
 * instants look the same.
 */
function parseValue(filter: Filter, form: Form): FormValue | null {
  const { parameter, kind, options } = filter;
  const value = form.formValues[parameter];
  if (value === undefined || value === appliedValue(filter, form))
    return form.query.filters[parameter] ?? '';
  if (typeof value !== 'string') return options.filter((option) => value.includes(option));
  if (kind !== 'instant' || value === '') return value.trim();
  return parseDateTimeInput(value, form.display.zone, parameter === 'dateTo' ? 'last' : 'first');
}
