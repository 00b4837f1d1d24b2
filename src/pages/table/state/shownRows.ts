import { parseCount, unknownText } from '../../../base/decimal.ts';
import type { Display } from '../../../base/display.ts';
import type { PeriodPart } from '../../../base/interval.ts';
import { announcementOf, reduceGrid } from '../../grid/reducer.ts';
import type { Grid, GridAction, GridPage } from '../../grid/model.ts';
import type { Column, Filter, TablePage, TableQuery } from '../../../protocol/table.ts';
import type { OpenState } from './pageState.ts';
import { hasSameFilters } from '../../../protocol/tableQuery.ts';

const noRows: GridPage = { id: -1, rows: [] };

/** The grid of a table page. */
export function gridOf(state: OpenState): Grid {
  const { shown, body, display, texts, grid } = state;
  const { table, title, columns } = state.description;
  // The order that is asked for shows before its rows come.
  const ledger = shown?.query.ledger && (state.query.ledger ?? shown.query.ledger);
  const page = shown?.page ?? noRows;
  return {
    name: table,
    title,
    columns,
    page,
    keys: () => rowKeys(columns, page.rows),
    firstActive: shown ? firstActiveOf(shown.page) : 0,
    rowsBefore: shown ? rowsBefore(shown.query, shown.page) : 0,
    total: shown && rowTotal(shown.query, shown.page),
    sortedBy: ledger?.sort,
    sortedWord: ledger ? texts.allRows : texts.thisPage,
    menuOf: (field) => ({ gridCellFilters: filterOf(state, field) !== undefined }),
    isBusy: body.kind === 'loading',
    display,
    texts,
    state: grid,
  };
}

/** The filter that takes the values of a field. */
export function filterOf({ description }: OpenState, name: string | undefined): Filter | undefined {
  return description.filters.find(
    ({ parameter, field = parameter, kind }) => field === name && kind !== 'instant',
  );
}

/** Records of two types, assets or symbols may have the same id; those of reference data have none but a symbol. */
const keyFields: ReadonlySet<string> = new Set(['type', 'asset', 'symbol']);

/** Rows by their ids, or by what is in their place. Records may share one: then they are counted. */
function rowKeys(columns: readonly Column[], rows: GridPage['rows']): readonly string[] {
  const isOfKey = columns.map(({ field, kind }) => kind === 'id' || keyFields.has(field));
  const counts = new Map<string, number>();
  return rows.map((cells) => {
    const key = cells.filter((_cell, index) => isOfKey[index]).join(' ');
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${key} ${count}`;
  });
}

/** The requested row; without a request the row that concerns the account, else the first row. */
export function firstActiveOf({ startRow, marks, ledger, isStartMissing }: TablePage): number {
  const marked = isStartMissing || ledger ? undefined : marks[0]?.row;
  return startRow ?? marked ?? 0;
}

/** What an action does to the grid of a page, and what a screen reader hears of it. */
export function changeGrid(before: OpenState, action: GridAction): OpenState {
  const grid = reduceGrid(gridOf(before), action);
  const state = { ...before, grid, details: grid.areDetailsOpen ? before.details : null };
  const announcement = announcementOf(gridOf(state), action) ?? state.announcement;
  const actionError = requests.includes(action.kind) ? '' : state.actionError;
  return { ...state, announcement, actionError };
}

/** The actions that send a request, so that the error of an earlier one no longer holds. */
const requests: readonly GridAction['kind'][] = [
  'copyRequested',
  'fieldCopyRequested',
  'linkFollowed',
  'moreRequested',
];

/** Counted from 0. */
const maxPage = 10_000_000;

/**
 * The page that each button opens, counted from 0; null if the button is disabled. After a failure, the
 * pages beside the rows that stayed; none if these are of other filters.
 */
export function pagerOf({ body, query, shown }: Pick<OpenState, 'body' | 'query' | 'shown'>) {
  const stayed = body.kind === 'failed' ? shown : null;
  if (stayed && !hasSameFilters(query, stayed.query)) return { previous: null, next: null };
  const at = stayed?.query ?? query;
  const hasPrevious = at.page > 0 && at.page <= maxPage;
  const hasNext = at.page < maxPage && shown !== null && hasNextPage(at, shown.page);
  return { previous: hasPrevious ? at.page - 1 : null, next: hasNext ? at.page + 1 : null };
}

/** The number of rows on earlier pages. */
function rowsBefore(query: TableQuery, shown: TablePage): number {
  return query.page * pageSize(query, shown);
}

/** All records of the answer: shown and omitted. */
export function recordCount(page: TablePage): number {
  return page.rows.length + page.omittedRows;
}

type Words = Pick<OpenState, 'display' | 'texts'>;

/** `21–40 of 12,345`, with the server's page size if it differs from the requested one; empty without rows. */
export function rangeText(query: TableQuery, shown: TablePage, { display, texts }: Words): string {
  const records = recordCount(shown);
  if (records === 0) return '';
  const before = rowsBefore(query, shown);
  const total = rowTotal(query, shown);
  const range = texts.range(
    display.count(before + 1),
    display.count(before + records),
    total === null ? unknownText : display.count(total),
  );
  const size = pageSize(query, shown);
  return size === query.size ? range : `${range} · ${texts.serverPageSize(display.count(size))}`;
}

/** The period of a part, in words. */
export function partText({ from, to }: PeriodPart, { display, texts }: Words): string {
  const time = (epochMs: number): string => display.timeToSecond(epochMs);
  return texts.shownPart(time(from), time(to));
}

/** The number of pages, or `—` if the server gives no positive integer. */
export function pageCountText(shown: TablePage | null, display: Display): string {
  const pages = shown ? pageCount(shown) : null;
  return pages === null ? unknownText : display.count(pages);
}

/** The server's total; null if its own rows contradict it. */
function rowTotal(query: TableQuery, shown: TablePage): number | null {
  const total = parseCount(shown.totalElements);
  const least = rowsBefore(query, shown) + recordCount(shown);
  return total !== undefined && total >= least ? total : null;
}

/** Reads a page that the user counts from 1; null if the text is not a page number. */
export function parsePage(text: string): number | null {
  const page = parseCount(text.trim());
  return page === undefined || page < 1 || page - 1 > maxPage ? null : page - 1;
}

/**
 * Totals from the server can be wrong: after a full page there is always a next one, unless both
 * totals agree with the rows that this is the last.
 */
function hasNextPage(query: TableQuery, shown: TablePage): boolean {
  const pages = pageCount(shown);
  if (pages !== null && pages > query.page + 1) return true;
  const isFull = recordCount(shown) >= pageSize(query, shown);
  const seenToEnd = rowsBefore(query, shown) + recordCount(shown);
  return isFull && !(pages === query.page + 1 && parseCount(shown.totalElements) === seenToEnd);
}

/** The server may use smaller pages than requested. A size that its own rows contradict is ignored. */
function pageSize(query: TableQuery, shown: TablePage): number {
  const size = parseCount(shown.size) ?? 0;
  return size > 0 && size < query.size && size >= recordCount(shown) ? size : query.size;
}

function pageCount(shown: TablePage): number | null {
  const pages = parseCount(shown.totalPages);
  return pages === undefined || pages < 1 || pages - 1 > maxPage ? null : pages;
}
