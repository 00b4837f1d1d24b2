import {
  requestRows,
  withoutRequest,
  type OpenState,
  type Transition,
} from '../state/pageState.ts';
import { filtersAfterReset, firstPageOf } from '../state/savedQuery.ts';
import { parseForm, toFormValues, withLastDays, type FormValue } from './filterForm.ts';

/** Clears all errors, as one error can concern two fields. */
export function editFilter(state: OpenState, parameter: string, value: FormValue): OpenState {
  return { ...state, formValues: { ...state.formValues, [parameter]: value }, fieldErrors: {} };
}

/** A switch takes effect at once. It leaves edits of other fields unapplied. */
export function changeSwitch(before: OpenState, parameter: string, value: string): Transition {
  const state = editFilter(before, parameter, value);
  const filters = { ...state.query.filters, [parameter]: value };
  return requestRows({ ...state, query: firstPageOf(state.query, filters) });
}

export function applyFilters(state: OpenState): Transition {
  const { formValues, query: before, texts, display, description } = state;
  const { filters } = description;
  const { zone } = display;
  const parsed = parseForm(formValues, { filters, zone, appliedFilters: before.filters, texts });
  if (parsed.fieldErrors) return withoutRequest({ ...state, fieldErrors: parsed.fieldErrors });
  const query = firstPageOf(before, parsed.filters);
  return requestRows({ ...state, query, formValues: toFormValues(query, filters, zone) });
}

export function applyLastDays(state: OpenState, count: number, now: number): Transition {
  const formValues = withLastDays(state.formValues, count, now, state.display.zone);
  return applyFilters({ ...state, formValues, formVersion: state.formVersion + 1 });
}

export function resetFilters(state: OpenState): Transition {
  const { filters } = state.description;
  const query = firstPageOf(state.query, filtersAfterReset(state.query.filters, filters));
  const formValues = toFormValues(query, filters, state.display.zone);
  return requestRows({ ...state, query, formValues, formVersion: state.formVersion + 1 });
}
