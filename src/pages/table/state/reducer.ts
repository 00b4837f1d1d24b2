import { secondMs } from '../../../base/time.ts';
import { lastDays } from '../../../base/timeZone.ts';
import { Display, type DisplaySettings } from '../../../base/display.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import type { TableContext, TableFilters, TablePage } from '../../../protocol/table.ts';
import { cellAt } from '../../grid/model.ts';
import { nextSort } from '../../grid/order.ts';
import { reduceDetails } from './details.ts';
import { parseForm } from './filterForm.ts';
import { parsePage, changeGrid, filterOf, gridOf } from './shownRows.ts';
import {
  requestDescription,
  requestRows,
  searchParameter,
  withoutRequest,
  type Action,
  type FormValue,
  type OpenState,
  type PageState,
  type Transition,
} from './pageState.ts';
import { openTable, showRows } from './receivedRows.ts';
import {
  filtersAfterReset,
  firstPageFrom,
  firstPageOf,
  hasSameFilters,
  sourceOf,
  withoutLatestPart,
} from '../../../protocol/tableQuery.ts';
import type { TableSource } from '../../../protocol/values.ts';

/** What an action does to a table page. Pure, so tests need no browser. */
export function reduce(state: PageState, action: Action): Transition {
  if (action.kind === 'descriptionReceived') return openTable(state, action.description);
  if (state.kind !== 'open') return reduceUnopened(state, action);
  switch (action.kind) {
    case 'rowsReceived':
      return withoutRequest(showRows(state, action.page, action.isStart));
    case 'requestFailed':
      return failRequest(state, action.failure);
    case 'contextChanged':
      return changeContext(state, action.context);
    case 'displayChanged':
      return changeDisplay(state, action.display, action.page);
    case 'newerRowsAvailable':
      return withoutRequest({ ...state, outdatedPageId: action.pageId });
    case 'ledgerChanged':
      return followLedger(state, action.pageId);
    case 'reopenRequested':
      return requestDescription(state);
    case 'filterEdited':
      return withoutRequest(editFilter(state, action.parameter, action.value));
    case 'filterChosen':
      return chooseFilter(state, action.parameter, action.value);
    case 'filtersApplied':
      return applyFilters(state, action.parameters);
    case 'periodChosen':
      return choosePeriod(state, action.days, action.now);
    case 'activeCellChosen':
      return filterByActiveCell(state);
    case 'filtersReset':
      return resetFilters(state);
    case 'pageChosen':
      return requestRows(state, { page: action.page });
    case 'pageTyped':
      return goToTypedPage(state, action.text);
    case 'pageSizeChosen':
      return requestRows(state, { page: 0, size: action.size });
    case 'partChosen':
      return requestRows(state, { page: 0, part: { to: action.to, isLatest: false } });
    case 'refreshed':
      return requestRows({ ...state, query: withoutLatestPart(state.query) });
    case 'sourceChosen':
      return chooseSource(state, action.source);
    case 'olderChosen':
      return showOlder(state, action.before);
    case 'searchChosen':
      return searchLedger(state, action.text);
    case 'openRequested':
      return withoutRequest({ ...state, actionError: '', grid: { ...state.grid, copied: '' } });
    case 'detailsRequested':
    case 'detailsAnswered':
      return withoutRequest(reduceDetails(state, action));
    case 'accountActionChosen':
    case 'exportRequested':
      return withoutRequest({ ...state, actionError: '' });
    case 'actionFailed':
      return withoutRequest({ ...state, actionError: action.sentence });
    case 'grid':
      return action.action.kind === 'sorted' && state.query.ledger
        ? sortLedger(state, action.action.field)
        : withoutRequest(changeGrid(state, action.action));
    case 'weightRequested':
      return withoutRequest(state);
    case 'weightReceived':
      return withoutRequest({ ...state, weight: action.text });
  }
}

/** Reads the rows again, which stay as they are until then; a request that runs reads the ledger as it is. */
function followLedger(state: OpenState, pageId: number): Transition {
  const isShown = state.body.kind === 'rows' && state.shown?.page.id === pageId;
  return { state, request: isShown ? 'page' : null };
}

/** Before the description of the table has arrived, or after its request failed. */
function reduceUnopened(state: Exclude<PageState, OpenState>, action: Action): Transition {
  if (['refreshed', 'reopenRequested', 'contextChanged'].includes(action.kind))
    return { state: { ...state, failure: null }, request: 'open' };
  if (action.kind === 'requestFailed') return withoutRequest({ ...state, failure: action.failure });
  if (action.kind !== 'displayChanged' || !state.failure) return withoutRequest(state);
  const failure = maskFailure(state.failure, new Display(action.display));
  return withoutRequest({ ...state, failure });
}

/**
 * The rows stay as they were: a failure of the query before this one does not remove them. The rows of the
 * exchange take the place of those that the ledger failed to give.
 */
function failRequest(before: OpenState, failure: RpcFailure): Transition {
  const { body, query, description } = before;
  if (query.ledger) {
    const source = firstPageFrom('exchange', query.filters, description);
    const { state, request } = requestRows({ ...before, query: source });
    return { state: { ...state, actionError: failure.sentence }, request };
  }
  const request = body.kind === 'loading' ? body.request : 'page';
  return withoutRequest({ ...before, body: { kind: 'failed', request, failure } });
}

/** Clears all errors, as one error can concern two fields. */
function editFilter(state: OpenState, parameter: string, value: FormValue): OpenState {
  return { ...state, formValues: { ...state.formValues, [parameter]: value }, fieldErrors: {} };
}

/** Applies these filters as they were edited, and leaves edits of others unapplied. */
function applyFilters(state: OpenState, parameters: readonly string[]): Transition {
  const all = state.description.filters;
  const filters = all.filter(({ parameter }) => parameters.includes(parameter));
  const parsed = parseForm(filters, state);
  return parsed.fieldErrors
    ? withoutRequest({ ...state, fieldErrors: parsed.fieldErrors })
    : replaceFilters(state, parameters, parsed.filters);
}

/** An empty value removes the filter. */
function chooseFilter(state: OpenState, parameter: string, value: FormValue): Transition {
  return applyFilters(editFilter(state, parameter, value), [parameter]);
}

/** The last days, today included; null for all days. The query includes the whole second of its end. */
function choosePeriod(state: OpenState, days: number | null, now: number): Transition {
  const period = days === null ? null : lastDays(days, now, state.display.zone);
  const iso = (epochMs: number): string => new Date(epochMs).toISOString();
  return replaceFilters(
    state,
    ['dateFrom', 'dateTo'],
    period ? { dateFrom: iso(period.from), dateTo: iso(period.to - secondMs) } : {},
  );
}

function resetFilters(state: OpenState): Transition {
  const { query, description } = state;
  const first = firstPageOf(query, filtersAfterReset(query.filters, description.filters));
  const ledger = first.ledger && { ...first.ledger, search: '' };
  return requestRows({ ...state, formValues: {}, query: { ...first, ...(ledger && { ledger }) } });
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
function filterByActiveCell(state: OpenState): Transition {
  const { column, cell } = cellAt(gridOf(state));
  const filter = filterOf(state, column?.field);
  if (!filter || cell === null) return withoutRequest(state);
  const { parameter, kind, options } = filter;
  if (kind !== 'text' && !options.includes(cell)) return withoutRequest(state);
  return chooseFilter(state, parameter, kind === 'choices' ? [cell] : cell);
}

function chooseSource(state: OpenState, source: TableSource): Transition {
  const { query, description } = state;
  if (source === sourceOf(query)) return withoutRequest(state);
  return requestRows({ ...state, query: firstPageFrom(source, query.filters, description) });
}

/** The choice of the source stays: a panel opens on the ledger again. */
function showOlder(state: OpenState, before: number): Transition {
  const { query, description } = state;
  // The query includes the whole second of its end.
  const dateTo = new Date(before - secondMs).toISOString();
  const filters = { ...without(query.filters, ['dateFrom']), dateTo };
  return requestRows({ ...state, query: firstPageFrom('exchange', filters, description) });
}

/** Searches all rows of the ledger; empty text finds all of them. */
function searchLedger(before: OpenState, text: string): Transition {
  const state = { ...before, formValues: without(before.formValues, [searchParameter]) };
  const search = text.trim() === '' ? '' : text;
  const { ledger } = state.query;
  if (!ledger || search === ledger.search) return withoutRequest(state);
  return requestRows(state, { page: 0, ledger: { ...ledger, search } });
}

/** Sorts all rows of the ledger. Masked figures have no order. */
function sortLedger(state: OpenState, field: string): Transition {
  const { ledger } = state.query;
  if (!ledger || hidesField(state, field)) return withoutRequest(state);
  const sort = nextSort(ledger.sort, field);
  return requestRows(state, { page: 0, ledger: { ...ledger, sort } });
}

function goToTypedPage(state: OpenState, text: string): Transition {
  const page = parsePage(text);
  if (page !== null) return requestRows(state, { page });
  const fieldErrors = { ...state.fieldErrors, page: state.texts.invalidPage };
  return withoutRequest({ ...state, fieldErrors });
}

/** Rows of another account, or of another session of the same one, disappear at once. */
function changeContext(before: OpenState, context: TableContext): Transition {
  const { profile, session } = before.description.context;
  const state: OpenState = { ...before, description: { ...before.description, context } };
  if (profile === context.profile)
    return session === context.session ? withoutRequest(state) : requestDescription(state);
  const query = firstPageOf(state.query, state.query.filters);
  const firstPage: OpenState = { ...state, query, fieldErrors: {} };
  if (context.profile !== null) return requestDescription(firstPage);
  const body = { kind: 'noAccount' } as const;
  const none = { ...firstPage, body, shown: null, actionError: '', announcement: '' };
  return { state: none, request: 'abort' };
}

/**
 * Replaces the rows by the same rows in the new display settings. Privacy may be on now, so rows that
 * the host did not send again disappear, and figures in error messages are masked.
 */
function changeDisplay(
  before: OpenState,
  settings: DisplaySettings,
  page: TablePage | null,
): Transition {
  const display = new Display(settings);
  const { body, shown } = before;
  const isOtherZone = before.display.zone.name !== display.zone.name;
  const state: OpenState = {
    ...before,
    display,
    body: body.kind === 'failed' ? { ...body, failure: maskFailure(body.failure, display) } : body,
    shown: shown && page && shown.page.id === page.id ? { ...shown, page } : null,
    actionError: display.serverText(before.actionError),
    // Dates were typed in the old time zone.
    formValues: isOtherZone ? {} : before.formValues,
  };
  const { ledger } = state.query;
  // Their order would tell which of the hidden figures is the largest.
  if (shown && ledger?.sort && hidesField(state, ledger.sort.field))
    return requestRows({ ...state, shown: null }, { page: 0, ledger: { ...ledger, sort: null } });
  return body.kind === 'rows' && !state.shown ? requestRows(state) : withoutRequest(state);
}

function hidesField({ description, display }: OpenState, name: string): boolean {
  return description.columns.some(({ field }) => field === name && display.hides(field));
}

/** A failure may quote the exchange, and with it a figure. */
function maskFailure(failure: RpcFailure, display: Display): RpcFailure {
  return { ...failure, sentence: display.serverText(failure.sentence) };
}
