import { Display } from '../../../base/display.ts';
import type {
  PeriodPart,
  TableDescription,
  TablePage,
  TableQuery,
} from '../../../protocol/table.ts';
import {
  applyFilters,
  applyLastDays,
  changeSwitch,
  editFilter,
  resetFilters,
} from '../filters/filterActions.ts';
import { toFormValues } from '../filters/filterForm.ts';
import { initialGrid } from '../grid/gridState.ts';
import { changeGrid, runCommand } from './gridActions.ts';
import { changeContext, changeDisplay, maskFailure } from './hostUpdates.ts';
import { pageCountText, parsePage, partText, recordCount } from './pager.ts';
import {
  requestDescription,
  requestRows,
  withoutRequest,
  type Action,
  type OpenState,
  type PageState,
  type ShownRows,
  type TableBody,
  type Transition,
} from './pageState.ts';
import { filterCount, restoreQuery, withoutLatestPart } from './savedQuery.ts';

/** What an action does to a table page. Pure, so tests need no browser. */
export function reduce(state: PageState, action: Action): Transition {
  if (action.kind === 'descriptionReceived')
    return openTable(state, action.description, action.saved);
  if (state.kind !== 'open') return reduceUnopened(state, action);
  switch (action.kind) {
    case 'rowsReceived':
      return withoutRequest(showRows(state, action.page));
    case 'requestFailed': {
      const request = state.body.kind === 'loading' ? state.body.request : 'page';
      const { failure } = action;
      return withoutRequest({ ...state, body: { kind: 'failed', request, failure } });
    }
    case 'contextChanged':
      return changeContext(state, action.context);
    case 'displayChanged':
      return changeDisplay(state, action.display, action.page);
    case 'newerRowsAvailable':
      return withoutRequest({ ...state, outdatedPageId: action.pageId });
    case 'reopenRequested':
      return requestDescription(state);
    case 'filterEdited':
      return withoutRequest(editFilter(state, action.parameter, action.value));
    case 'switchChanged':
      return changeSwitch(state, action.parameter, action.value);
    case 'filtersApplied':
      return applyFilters(state);
    case 'lastDaysChosen':
      return applyLastDays(state, action.count, action.now);
    case 'filtersReset':
      return resetFilters(state);
    case 'filtersToggled':
      return withoutRequest({ ...state, areFiltersShown: !state.areFiltersShown });
    case 'pageChosen':
      return requestRows({ ...state, query: { ...state.query, page: action.page } });
    case 'pageTyped':
      return goToTypedPage(state, action.text);
    case 'pageSizeChosen':
      return requestRows({ ...state, query: { ...state.query, page: 0, size: action.size } });
    case 'partChosen': {
      const part = { to: action.to, isLatest: false };
      return requestRows({ ...state, query: { ...state.query, page: 0, part } });
    }
    case 'refreshed':
      return requestRows({ ...state, query: withoutLatestPart(state.query) });
    case 'linkFollowed':
    case 'exportRequested':
      return withoutRequest({ ...state, actionError: '' });
    case 'actionFailed':
      return withoutRequest({ ...state, actionError: action.sentence });
    case 'grid':
      return withoutRequest(changeGrid(state, action.action));
    case 'gridCommanded':
      return runCommand(state, action.command);
  }
}

const reopeningActions: readonly Action['kind'][] = [
  'refreshed',
  'reopenRequested',
  'contextChanged',
];

/** Before the description of the table has arrived, or after its request failed. */
function reduceUnopened(state: Exclude<PageState, OpenState>, action: Action): Transition {
  const { texts } = state;
  if (action.kind === 'requestFailed')
    return withoutRequest({ kind: 'unopened', texts, failure: action.failure });
  if (state.kind === 'unopened' && action.kind === 'displayChanged') {
    const failure = maskFailure(state.failure, new Display(action.display));
    return withoutRequest({ kind: 'unopened', texts, failure });
  }
  return reopeningActions.includes(action.kind)
    ? { state: { kind: 'opening', texts }, request: 'open' }
    : withoutRequest(state);
}

function openTable(before: PageState, description: TableDescription, saved: unknown): Transition {
  const query = restoreQuery(saved, description);
  const display = new Display(description.display);
  const hasAccount = description.context.profile !== null;
  const state: OpenState = {
    kind: 'open',
    description,
    texts: before.texts,
    display,
    query,
    formValues: toFormValues(query, description.filters, display.zone),
    fieldErrors: {},
    formVersion: before.kind === 'open' ? before.formVersion + 1 : 0,
    areFiltersShown: before.kind === 'open' && before.areFiltersShown,
    body: { kind: 'noAccount' },
    grid: before.kind === 'open' ? before.grid : initialGrid(description.layout),
    actionError: '',
    announcement: '',
  };
  return hasAccount ? requestRows(state) : withoutRequest(state);
}

function goToTypedPage(state: OpenState, text: string): Transition {
  const page = parsePage(text);
  if (page !== null) return requestRows({ ...state, query: { ...state.query, page } });
  const fieldErrors = { ...state.fieldErrors, page: state.texts.invalidPage };
  return withoutRequest({ ...state, fieldErrors });
}

function showRows(before: OpenState, page: TablePage): OpenState {
  const query = queryOfPart(before.query, page.part);
  const shown = { query, page };
  const body: TableBody =
    recordCount(page) > 0 ? { kind: 'rows', shown } : emptyBody(before.description, shown);
  const state = { ...before, query, body };
  return { ...state, announcement: announcementFor(state, body, page) };
}

/** The query keeps the part that was received, so that its next pages are of the same part. */
function queryOfPart(before: TableQuery, part: PeriodPart | null): TableQuery {
  const { part: position, ...query } = before;
  if (part) return { ...query, part: { to: part.to, isLatest: part.newer === null } };
  return position ? query : before;
}

function emptyBody(description: TableDescription, shown: ShownRows): TableBody {
  const { query, page } = shown;
  const { part } = page;
  if (query.page > 0 && page.totalElements !== '0') return { kind: 'pastEnd', shown };
  if (part) return { kind: 'emptyPart', shown, part };
  const isFiltered = filterCount(query, description.filters) > 0;
  return { kind: isFiltered ? 'noMatch' : 'emptyAccount', shown };
}

function announcementFor(state: OpenState, body: TableBody, page: TablePage): string {
  const { query, description, texts, display } = state;
  if (body.kind === 'emptyAccount') return texts.nothingYet;
  if (body.kind === 'noMatch') return texts.noMatch;
  if (body.kind === 'pastEnd') return texts.pastEnd(query.page + 1);
  if (body.kind === 'emptyPart') return `${texts.emptyPart}. ${partText(body.part, state)}`;
  if (description.pageSizes.length === 0) return texts.rowsRead(page.rows.length);
  const loaded = texts.rowsLoaded(page.rows.length, query.page + 1, pageCountText(page, display));
  return page.part ? `${loaded}. ${partText(page.part, state)}` : loaded;
}
