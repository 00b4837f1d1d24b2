import { Display } from '../../../base/display.ts';
import type { PeriodPart } from '../../../base/interval.ts';
import type {
  ShownRows,
  TableDescription,
  TablePage,
  TableQuery,
  PageView,
} from '../../../protocol/table.ts';
import { followVisible } from '../../grid/follow.ts';
import { gridViewOf, initialGrid } from '../../grid/model.ts';
import { followDetails } from './details.ts';
import { pageCountText, partText, recordCount, gridOf } from './shownRows.ts';
import {
  type Action,
  type OpenState,
  type PageState,
  requestRows,
  withoutRequest,
  type Transition,
} from './pageState.ts';
import {
  filterCount,
  isSameQuery,
  restoreQuery,
  withoutLatestPart,
  isSearched,
} from '../../../protocol/tableQuery.ts';

/**
 * The state with the rows of its query. If they were read again, the grid and its details stay with their records, unless
 * nobody has touched it. What the ledger has of the same query now is not announced, and first rows are not before the
 * others.
 */
export function showRows(before: OpenState, page: TablePage, isStart = false): OpenState {
  const query = queryOfPart(before.query, page.part);
  const shown = { query, page };
  const body = isStart ? before.body : ({ kind: 'rows' } as const);
  const read: OpenState = { ...before, query, body, shown };
  const { query: earlier } = before.shown ?? {};
  // The latest part of a period is the same one when it ends later.
  const isSame = earlier && isSameQuery(withoutLatestPart(earlier), withoutLatestPart(query));
  const isFollowed = before.grid.pageId !== null && isSame;
  const grid = isFollowed ? followVisible(gridOf(before), gridOf(read)) : before.grid;
  const details = isFollowed ? followDetails(before, read) : before.details;
  const state = { ...read, grid, details };
  const isFollowing = query.ledger && isSame && before.body.kind === 'rows';
  return isStart || isFollowing ? state : { ...state, announcement: announcementFor(read, shown) };
}

/** The query keeps the part that was received, so that its next pages are of the same part. */
function queryOfPart(before: TableQuery, part: PeriodPart | null): TableQuery {
  const { part: position, ...query } = before;
  if (part) return { ...query, part: { to: part.to, isLatest: part.newer === null } };
  return position ? query : before;
}

/** What a page says in place of rows, and what a button below it does. */
export type EmptyText = {
  readonly title: string;
  readonly hint: string;
  readonly button?: { readonly label: string; readonly action: Action };
};

/** Why there are no rows: on this page, in this part, with these filters, in the ledger or in the account. */
export function emptyText(
  { texts, description }: OpenState,
  { query, page }: ShownRows,
): EmptyText {
  if (query.page > 0 && page.totalElements !== '0') {
    const button = { label: texts.firstPage, action: { kind: 'pageChosen', page: 0 } } as const;
    return { title: texts.pastEnd(query.page + 1), hint: texts.pastEndHint, button };
  }
  if (page.part) {
    const { older, newer } = page.part;
    const to = older ?? newer;
    const label = older === null ? texts.newer : texts.older;
    const button = to !== null && { label, action: { kind: 'partChosen', to } as const };
    return { title: texts.emptyPart, hint: texts.emptyPartHint, ...(button && { button }) };
  }
  if (isSearched(query) || filterCount(query, description.filters) > 0) {
    const button = { label: texts.clearFilters, action: { kind: 'filtersReset' } } as const;
    return { title: texts.noMatch, hint: texts.noMatchHint, button };
  }
  if (query.ledger) {
    const action = { kind: 'sourceChosen', source: 'exchange' } as const;
    const button = { label: texts.showExchange, action };
    return { title: texts.emptyLedger, hint: texts.emptyLedgerHint, button };
  }
  return { title: texts.nothingYet, hint: texts.nothingYetHint };
}

function announcementFor(state: OpenState, shown: ShownRows): string {
  const { query, description, texts, display } = state;
  const { page } = shown;
  const part = page.part ? `. ${partText(page.part, state)}` : '';
  if (recordCount(page) === 0) return emptyText(state, shown).title + part;
  if (description.pageSizes.length === 0) return texts.rowsRead(page.rows.length);
  const pages = pageCountText(page, display);
  return texts.rowsLoaded(page.rows.length, query.page + 1, pages) + part;
}

export function openTable(before: PageState, description: TableDescription): Transition {
  const { layout, kept, areDetailsOpen } = description;
  const view = kept?.view && { ...kept.view.grid, find: kept.view.find };
  const grid = before.kind === 'open' ? before.grid : initialGrid(layout, view ?? {});
  const state: OpenState = {
    kind: 'open',
    description,
    texts: before.texts,
    display: new Display(description.display),
    query: restoreQuery(description),
    formValues: {},
    fieldErrors: {},
    body: { kind: 'noAccount' },
    shown: null,
    grid: areDetailsOpen ? { ...grid, areDetailsOpen } : grid,
    details: before.kind === 'open' ? before.details : null,
    actionError: '',
    weight: '',
    announcement: '',
  };
  return description.context.profile === null ? withoutRequest(state) : restorePage(state);
}

/**
 * Shows again what the page before this one showed. It requests rows only if there are none, if the
 * query has changed since, or if a command replaced the filters.
 */
function restorePage(opened: OpenState): Transition {
  const { kept, initialFilters } = opened.description;
  if (!kept || initialFilters) return requestRows(opened);
  const { shown, failed, view, outdatedPageId } = kept;
  const rows = shown ? showRows({ ...opened, query: shown.query }, shown.page) : opened;
  // Dates were typed in the time zone of then.
  const formValues = view?.zone === opened.display.zone.name ? view.formValues : {};
  const state: OpenState = { ...rows, formValues, outdatedPageId, announcement: '' };
  const { query } = opened;
  const isAnswered = (answered: TableQuery): boolean => isSameQuery(answered, query);
  if (failed && isAnswered(failed.query)) {
    const body = { kind: 'failed', request: 'page', failure: failed.failure } as const;
    return withoutRequest({ ...state, query, body });
  }
  if (shown && [shown.query, rows.query].some(isAnswered)) return withoutRequest(state);
  return requestRows({ ...state, query });
}

/** For the host to keep while the panel is hidden. */
export function pageViewOf({ display, formValues, grid }: OpenState): PageView {
  return {
    zone: display.zone.name,
    formValues,
    find: grid.find === '' ? null : grid.find,
    grid: gridViewOf(grid),
  };
}
