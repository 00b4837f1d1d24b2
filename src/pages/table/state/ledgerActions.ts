import type { RpcFailure } from '../../../protocol/messages.ts';
import type { TableSource } from '../../../protocol/table.ts';
import { nextSort, type Sort } from '../../grid/order.ts';
import { firstPageFrom, sourceOf } from './pageQuery.ts';
import {
  requestRows,
  searchParameter,
  shownRows,
  withoutRequest,
  type OpenState,
  type Transition,
} from './pageState.ts';

export function chooseSource(state: OpenState, source: TableSource): Transition {
  const { query, description } = state;
  if (source === sourceOf(query)) return withoutRequest(state);
  return requestRows({ ...state, query: firstPageFrom(source, query.filters, description) });
}

/** Searches all rows of the ledger; empty text finds all of them. */
export function searchLedger(before: OpenState, search: string): Transition {
  const { [searchParameter]: _typed, ...formValues } = before.formValues;
  const state = { ...before, formValues };
  const { ledger } = state.query;
  if (!ledger || search === ledger.search) return withoutRequest(state);
  return requestRows({
    ...state,
    query: { ...state.query, page: 0, ledger: { ...ledger, search } },
  });
}

/** Sorts all rows of the ledger. Masked figures have no order. */
export function sortLedger(state: OpenState, field: string): Transition {
  const { query, description, display } = state;
  const column = description.columns.find((each) => each.field === field);
  if (!query.ledger || !column || display.hides(column.field)) return withoutRequest(state);
  const sort = nextSort(query.ledger.sort, field);
  return requestRows({ ...state, query: { ...query, page: 0, ledger: { ...query.ledger, sort } } });
}

/** Reads the rows again, which stay as they are until then; a request that runs reads the ledger as it is. */
export function followLedger(state: OpenState, pageId: number): Transition {
  const isShown = 'shown' in state.body && state.body.shown.page.id === pageId;
  return { state, request: isShown ? 'page' : null };
}

/** The rows of the exchange take the place of those that the ledger failed to give. */
export function leaveLedger(before: OpenState, { sentence }: RpcFailure): Transition {
  const { state, request } = chooseSource(before, 'exchange');
  return { state: { ...state, actionError: sentence } as OpenState, request };
}

/** How the shown rows are sorted, and whether that is the order of all rows. */
export function shownSort({ body, grid }: Pick<OpenState, 'body' | 'grid'>): {
  readonly sort: Sort | null;
  readonly isOfAllRows: boolean;
} {
  const ledger = shownRows(body)?.query.ledger;
  return ledger
    ? { sort: ledger.sort, isOfAllRows: true }
    : { sort: grid.sort, isOfAllRows: false };
}
