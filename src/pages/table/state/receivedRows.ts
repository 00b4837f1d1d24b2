import {
  isSearched,
  type PeriodPart,
  type ShownRows,
  type TableDescription,
  type TablePage,
  type TableQuery,
  type PageView,
} from '../../../protocol/table.ts';
import type { FormValues } from './filterForm.ts';
import { followVisible, keyedPage } from '../../grid/follow.ts';
import { gridViewOf } from '../../grid/state.ts';
import { pageCountText, partText, recordCount } from './pager.ts';
import {
  type OpenState,
  type TableBody,
  requestRows,
  shownRows,
  withoutRequest,
  type Transition,
} from './pageState.ts';
import { filterCount, isSameQuery, withoutLatestPart } from './pageQuery.ts';

/**
 * The state with the rows of its query. If they were read again, the grid stays with its records, unless
 * nobody has touched it. What the ledger has of the same query now is not announced.
 */
export function showRows(before: OpenState, page: TablePage): OpenState {
  const query = queryOfPart(before.query, page.part);
  const shown = { query, page };
  const body: TableBody =
    recordCount(page) > 0 ? { kind: 'rows', shown } : emptyBody(before.description, shown);
  const read = { ...before, query, body };
  const earlier = shownRows(before.body);
  const isSame = isReadAgain(earlier, query);
  const isFollowed = before.grid.pageId !== null && isSame;
  const grid = isFollowed ? followVisible(keyedPage(before), keyedPage(read)) : before.grid;
  if (query.ledger && isSame) return { ...read, grid };
  return { ...read, grid, announcement: announcementFor(read, body, page) };
}

/** The latest part of a period is the same one when it ends later. */
function isReadAgain(earlier: ShownRows | null, query: TableQuery): boolean {
  return (
    earlier !== null && isSameQuery(withoutLatestPart(earlier.query), withoutLatestPart(query))
  );
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
  const isFiltered = isSearched(query) || filterCount(query, description.filters) > 0;
  if (isFiltered) return { kind: 'noMatch', shown };
  return { kind: query.ledger ? 'emptyLedger' : 'emptyAccount', shown };
}

function announcementFor(state: OpenState, body: TableBody, page: TablePage): string {
  const { query, description, texts, display } = state;
  if (body.kind === 'emptyAccount') return texts.nothingYet;
  if (body.kind === 'emptyLedger') return texts.emptyLedger;
  if (body.kind === 'noMatch') return texts.noMatch;
  if (body.kind === 'pastEnd') return texts.pastEnd(query.page + 1);
  if (body.kind === 'emptyPart') return `${texts.emptyPart}. ${partText(body.part, state)}`;
  if (description.pageSizes.length === 0) return texts.rowsRead(page.rows.length);
  const loaded = texts.rowsLoaded(page.rows.length, query.page + 1, pageCountText(page, display));
  return page.part ? `${loaded}. ${partText(page.part, state)}` : loaded;
}

/**
 * Shows again what the page before this one showed. It requests rows only if there are none, if the
 * query has changed since, or if a command replaced the filters.
 */
export function restorePage(opened: OpenState): Transition {
  const { kept, initialFilters } = opened.description;
  if (!kept || initialFilters) return requestRows(opened);
  const { shown, failed, view, outdatedPageId } = kept;
  const rows = shown ? showRows({ ...opened, query: shown.query }, shown.page) : opened;
  const formValues = keptFormValues(opened, view);
  const state: OpenState = { ...rows, formValues, outdatedPageId, announcement: '' };
  const { query } = opened;
  const isAnswered = (answered: TableQuery): boolean => isSameQuery(answered, query);
  if (failed && isAnswered(failed.query)) {
    const { failure } = failed;
    const body = { kind: 'failed', request: 'page', failure, previous: shown } as const;
    return withoutRequest({ ...state, query, body });
  }
  if (shown && [shown.query, rows.query].some(isAnswered)) return withoutRequest(state);
  return requestRows({ ...state, query });
}

/** What the user typed, unless the time zone has changed: dates were typed in the old one. */
function keptFormValues({ formValues, display }: OpenState, view: PageView | null): FormValues {
  return view?.zone === display.zone.name ? { ...formValues, ...view.formValues } : formValues;
}

/** For the host to keep while the panel is hidden. */
export function pageViewOf({ display, formValues, grid }: OpenState): PageView {
  return {
    zone: display.zone.name,
    formValues: formValues as PageView['formValues'],
    find: grid.find === '' ? null : grid.find,
    grid: gridViewOf(grid),
  };
}
