import { secondMs } from '../../../base/time.ts';
import { lastDays } from '../../../base/timeZone.ts';
import { isSearched, type TableFilters, type Filter } from '../../../protocol/table.ts';
import {
  requestRows,
  withoutRequest,
  type OpenState,
  type Transition,
} from './pageState.ts';
import { filtersAfterReset, firstPageOf, hasSameFilters } from './pageQuery.ts';
import { parseForm, toFormValues, type FormValue } from './filterForm.ts';

/** Clears all errors, as one error can concern two fields. */
export function editFilter(state: OpenState, parameter: string, value: FormValue): OpenState {
  return { ...state, formValues: { ...state.formValues, [parameter]: value }, fieldErrors: {} };
}

/** Applies these filters as they were edited, and leaves edits of others unapplied. */
export function applyFilters(state: OpenState, parameters: readonly string[]): Transition {
  const { formValues, query, texts, display, description } = state;
  const filters = description.filters.filter(({ parameter }) => parameters.includes(parameter));
  const context = { filters, zone: display.zone, appliedFilters: query.filters, texts };
  const parsed = parseForm(formValues, context);
  return parsed.fieldErrors
    ? withoutRequest({ ...state, fieldErrors: parsed.fieldErrors })
    : replaceFilters(state, parameters, parsed.filters);
}

export function chooseFilter(state: OpenState, parameter: string, value: FormValue): Transition {
  return applyFilters(editFilter(state, parameter, value), [parameter]);
}

/** The last days, today included; null for all days. The query includes the whole second of its end. */
export function choosePeriod(state: OpenState, days: number | null, now: number): Transition {
  const period = days === null ? null : lastDays(days, now, state.display.zone);
  const iso = (epochMs: number): string => new Date(epochMs).toISOString();
  return replaceFilters(
    state,
    ['dateFrom', 'dateTo'],
    period ? { dateFrom: iso(period.from), dateTo: iso(period.to - secondMs) } : {},
  );
}

export function removeFilters(state: OpenState, parameters: readonly string[]): Transition {
  return replaceFilters(state, parameters, {});
}

export function resetFilters(state: OpenState): Transition {
  const { filters } = state.description;
  const kept = filtersAfterReset(state.query.filters, filters);
  const all = filters.map(({ parameter }) => parameter);
  const { ledger } = state.query;
  if (!ledger || !isSearched(state.query)) return replaceFilters(state, all, kept);
  const query = { ...state.query, filters: kept, page: 0, ledger: { ...ledger, search: '' } };
  return requestRows({
    ...state,
    query,
    formValues: toFormValues(query, filters, state.display.zone),
  });
}

/** Requests the first page, unless the filters are those of the last request. */
function replaceFilters(
  state: OpenState,
  parameters: readonly string[],
  values: TableFilters,
): Transition {
  const { query: before, description, display } = state;
  const others = Object.entries(before.filters).filter(([name]) => !parameters.includes(name));
  const query = firstPageOf(before, { ...Object.fromEntries(others), ...values });
  const replaced = description.filters.filter(({ parameter }) => parameters.includes(parameter));
  const formValues = { ...state.formValues, ...toFormValues(query, replaced, display.zone) };
  const isApplied = hasSameFilters(query, before) && state.body.kind !== 'failed';
  if (isApplied) return withoutRequest({ ...state, formValues, fieldErrors: {} });
  return requestRows({ ...state, query, formValues });
}

/** The filter that selects rows by a field; undefined if the API has none. */
export function parameterOf(field: string, filters: readonly Filter[]): Filter | undefined {
  return filters.find(
    ({ parameter, field: own = parameter, kind }) => own === field && kind !== 'instant',
  );
}

/** Filters by the value of a cell, which the exchange may never have named as an option. */
export function filterByCell(state: OpenState, field: string, value: string): Transition {
  const filter = parameterOf(field, state.description.filters);
  if (!filter) return withoutRequest(state);
  const { parameter, kind, options } = filter;
  if (kind !== 'text' && !options.includes(value)) return withoutRequest(state);
  return chooseFilter(state, parameter, kind === 'choices' ? [value] : value);
}
