import { Display, type DisplaySettings } from '../../../base/display.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import type { TableDescription, TableContext, TablePage } from '../../../protocol/table.ts';
import { initialGrid, type GridState } from '../../grid/model.ts';
import { parsePage } from './pager.ts';
import {
  requestDescription,
  requestQuery,
  requestRows,
  withoutRequest,
  type Action,
  type OpenState,
  type PageState,
  type Transition,
} from './pageState.ts';
import {
  applyFilters,
  chooseFilter,
  choosePeriod,
  chooseSource,
  editFilter,
  filterByActiveCell,
  leaveLedger,
  resetFilters,
  searchLedger,
  sortLedger,
} from './queryActions.ts';
import { restorePage, showRows } from './receivedRows.ts';
import { restoreQuery, withoutLatestPart, firstPageOf } from '../../../protocol/tableQuery.ts';
import { changeGrid } from './tableGrid.ts';

/** What an action does to a table page. Pure, so tests need no browser. */
export function reduce(state: PageState, action: Action): Transition {
  if (action.kind === 'descriptionReceived') return openTable(state, action.description);
  if (state.kind !== 'open') return reduceUnopened(state, action);
  switch (action.kind) {
    case 'rowsReceived':
      return withoutRequest(showRows(state, action.page));
    case 'requestFailed':
      return state.query.ledger
        ? leaveLedger(state, action.failure)
        : withoutRequest(failRequest(state, action.failure));
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
      return requestQuery(state, { page: action.page });
    case 'pageTyped':
      return goToTypedPage(state, action.text);
    case 'pageSizeChosen':
      return requestQuery(state, { page: 0, size: action.size });
    case 'partChosen':
      return requestQuery(state, { page: 0, part: { to: action.to, isLatest: false } });
    case 'refreshed':
      return requestRows({ ...state, query: withoutLatestPart(state.query) });
    case 'sourceChosen':
      return chooseSource(state, action.source);
    case 'searchChosen':
      return searchLedger(state, action.text);
    case 'signInHelpChosen':
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

const openingActions: readonly Action['kind'][] = [
  'refreshed',
  'reopenRequested',
  'contextChanged',
];

/** Before the description of the table has arrived, or after its request failed. */
function reduceUnopened(state: Exclude<PageState, OpenState>, action: Action): Transition {
  if (openingActions.includes(action.kind))
    return { state: { ...state, failure: null }, request: 'open' };
  if (action.kind === 'requestFailed') return withoutRequest({ ...state, failure: action.failure });
  if (action.kind !== 'displayChanged' || !state.failure) return withoutRequest(state);
  const failure = maskFailure(state.failure, new Display(action.display));
  return withoutRequest({ ...state, failure });
}

function openTable(before: PageState, description: TableDescription): Transition {
  const query = restoreQuery(description);
  const display = new Display(description.display);
  const state: OpenState = {
    kind: 'open',
    description,
    texts: before.texts,
    display,
    query,
    formValues: {},
    fieldErrors: {},
    body: { kind: 'noAccount' },
    shown: null,
    grid: gridAfter(before, description),
    actionError: '',
    weight: '',
    announcement: '',
  };
  return description.context.profile === null ? withoutRequest(state) : restorePage(state);
}

function gridAfter(
  before: PageState,
  { layout, kept, areDetailsOpen }: TableDescription,
): GridState {
  const view = kept?.view && { ...kept.view.grid, find: kept.view.find };
  const grid = before.kind === 'open' ? before.grid : initialGrid(layout, view ?? {});
  return areDetailsOpen ? { ...grid, areDetailsOpen } : grid;
}

/** The rows stay as they were: a failure of the query before this one does not remove them. */
function failRequest(state: OpenState, failure: RpcFailure): OpenState {
  const { body } = state;
  const request = body.kind === 'loading' ? body.request : 'page';
  return { ...state, body: { kind: 'failed', request, failure } };
}

function goToTypedPage(state: OpenState, text: string): Transition {
  const page = parsePage(text);
  if (page !== null) return requestQuery(state, { page });
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
  if (shown && isSortedByHidden(state)) return requestRows(withoutOrder(state));
  return body.kind === 'rows' && !state.shown ? requestRows(state) : withoutRequest(state);
}

/** Their order would tell which of the hidden figures is the largest. */
function isSortedByHidden({ query: { ledger }, description, display }: OpenState): boolean {
  const column = description.columns.find(({ field }) => field === ledger?.sort?.field);
  return column !== undefined && display.hides(column.field);
}

function withoutOrder({ query, ...state }: OpenState): OpenState {
  const ledger = query.ledger && { ...query.ledger, sort: null };
  return { ...state, query: { ...query, page: 0, ledger }, shown: null };
}

/** A failure may quote the exchange, and with it a figure. */
function maskFailure(failure: RpcFailure, display: Display): RpcFailure {
  return { ...failure, sentence: display.serverText(failure.sentence) };
}
