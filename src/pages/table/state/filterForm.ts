import type { Filter, TableFilters } from '../../../protocol/table.ts';
import { dateTimeInputValue, parseDateTimeInput } from '../../controls/dateInput.ts';
import type { FormValue, OpenState } from './pageState.ts';

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

/** These filters without empty values, or else the errors. One of a reversed period is at its start. */
export function parseForm(filters: readonly Filter[], form: Form) {
  const { texts } = form;
  const parsed: TableFilters = {};
  const fieldErrors: Record<string, string> = {};
  for (const filter of filters) {
    const value = parseValue(filter, form);
    if (value === null) fieldErrors[filter.parameter] = texts.invalidInstant(filter.label);
    else if (value.length > 0) parsed[filter.parameter] = value;
  }
  const { dateFrom, dateTo } = parsed;
  if (Date.parse(String(dateFrom)) > Date.parse(String(dateTo))) {
    const [from = '', to = ''] = filters
      .filter(({ kind }) => kind === 'instant')
      .map(({ label }) => label);
    fieldErrors.dateFrom = texts.fromAfterTo(from, to);
  }
  return Object.keys(fieldErrors).length > 0
    ? { filters: null, fieldErrors }
    : { filters: parsed, fieldErrors: null };
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
