import type { Filter } from '../../../protocol/table.ts';
import type { OpenState, Transition } from '../state/pageState.ts';
import { withoutRequest } from '../state/pageState.ts';
import { applyFilters, changeSwitch, editFilter } from './filterActions.ts';

/** The filter that selects rows by a field; undefined if the API has none. */
export function parameterOf(field: string, filters: readonly Filter[]): Filter | undefined {
  const parameter = field === 'status' ? 'statuses' : field;
  return filters.find((filter) => filter.parameter === parameter && filter.kind !== 'instant');
}

/** Filters by the value of a cell, which the exchange may never have named as an option. */
export function filterByCell(state: OpenState, field: string, value: string): Transition {
  const filter = parameterOf(field, state.description.filters);
  if (!filter) return withoutRequest(state);
  const { parameter, kind, options } = filter;
  if (kind !== 'text' && !options.includes(value)) return withoutRequest(state);
  if (kind === 'switch') return changeSwitch(state, parameter, value);
  return applyFilters(editFilter(state, parameter, kind === 'choices' ? [value] : value));
}
