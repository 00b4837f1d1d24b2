import { secondMs } from '../../../base/time.ts';
import { lastDays } from '../../../base/timeZone.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import { isSearched, type TableFilters, type TableSource } from '../../../protocol/table.ts';
import { nextSort } from '../../grid/order.ts';
import { cellAt } from '../../grid/model.ts';
import { parseForm } from './filterForm.ts';
import {
  filtersAfterReset,
  firstPageFrom,
  firstPageOf,
  hasSameFilters,
  sourceOf,
} from '../../../protocol/tableQuery.ts';
import {
  requestQuery,
  requestRows,
  searchParameter,
  withoutRequest,
  type FormValue,
  type OpenState,
  type Transition,
} from './pageState.ts';
import { gridOf } from './tableGrid.ts';

/** Clears all errors, as one error can concern two fields. */
export function editFilter(state: OpenState, parameter: string, value: FormValue): OpenState {
  return { ...state, formValues: { ...state.formValues, [parameter]: value }, fieldErrors: {} };
}

/** Applies these filters as they were edited, and leaves edits of others unapplied. */
export function applyFilters(state: OpenState, parameters: readonly string[]): Transition {
  const all = state.description.filters;
  const filters = all.filter(({ parameter }) => parameters.includes(parameter));
  const parsed = parseForm(filters, state);
  return parsed.fieldErrors
    ? withoutRequest({ ...state, fieldErrors: parsed.fieldErrors })
    : replaceFilters(state, parameters, parsed.filters);
}

/** An empty value removes the filter. */
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

export function resetFilters(state: OpenState): Transition {
  const { filters } = state.description;
  const kept = filtersAfterReset(state.query.filters, filters);
  const { ledger } = state.query;
  if (!ledger || !isSearched(state.query)) {
    const parameters = filters.map(({ parameter }) => parameter);
    return replaceFilters(state, parameters, kept);
  }
  const all = { filters: kept, page: 0, ledger: { ...ledger, search: '' } };
  return requestQuery({ ...state, formValues: {} }, all);
}

/** Requests the first page, unless the filters are those of the last request. */
function replaceFilters(
  state: OpenState,
  parameters: readonly string[],
  values: TableFilters,
): Transition {
  const { query: before } = state;
  const query = firstPageOf(before, { ...without(before.filters, parameters), ...values });
  const replaced = { ...state, formValues: without(state.formValues, parameters) };
  const isApplied = hasSameFilters(query, before) && state.body.kind !== 'failed';
  return isApplied
    ? withoutRequest({ ...replaced, fieldErrors: {} })
    : requestRows({ ...replaced, query });
}

function without<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** Filters the rows by the value of the active cell, which the exchange may never have named as an option. */
export function filterByActiveCell(state: OpenState): Transition {
  const { column, cell } = cellAt(gridOf(state));
  const filter = state.description.filters.find(
    ({ parameter, field = parameter, kind }) => field === column?.field && kind !== 'instant',
  );
  if (!filter || cell === null) return withoutRequest(state);
  const { parameter, kind, options } = filter;
  if (kind !== 'text' && !options.includes(cell)) return withoutRequest(state);
  return chooseFilter(state, parameter, kind === 'choices' ? [cell] : cell);
}

export function chooseSource(state: OpenState, source: TableSource): Transition {
  const { query, description } = state;
  if (source === sourceOf(query)) return withoutRequest(state);
  return requestRows({ ...state, query: firstPageFrom(source, query.filters, description) });
}

/** Searches all rows of the ledger; empty text finds all of them. */
export function searchLedger(before: OpenState, search: string): Transition {
  const state = { ...before, formValues: without(before.formValues, [searchParameter]) };
  const { ledger } = state.query;
  if (!ledger || search === ledger.search) return withoutRequest(state);
  return requestQuery(state, { page: 0, ledger: { ...ledger, search } });
}

/** Sorts all rows of the ledger. Masked figures have no order. */
export function sortLedger(state: OpenState, field: string): Transition {
  const { ledger } = state.query;
  const column = state.description.columns.find((each) => each.field === field);
  if (!ledger || !column || state.display.hides(column.field)) return withoutRequest(state);
  return requestQuery(state, {
    page: 0,
    ledger: { ...ledger, sort: nextSort(ledger.sort, field) },
  });
}

/** The rows of the exchange take the place of those that the ledger failed to give. */
export function leaveLedger(before: OpenState, { sentence }: RpcFailure): Transition {
  const source = firstPageFrom('exchange', before.query.filters, before.description);
  const { state, request } = requestRows({ ...before, query: source });
  return { state: { ...state, actionError: sentence }, request };
}
