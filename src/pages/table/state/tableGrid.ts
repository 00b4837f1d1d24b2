import type { TablePage } from '../../../protocol/table.ts';
import { rowKeys } from '../../grid/follow.ts';
import { announcementOf, reduceGrid } from '../../grid/reducer.ts';
import type { Grid, GridAction, GridPage } from '../../grid/model.ts';
import { rowsBefore, rowTotal } from './pager.ts';
import type { OpenState } from './pageState.ts';

const noRows: GridPage = { id: -1, rows: [], marks: [], startRow: null };

/** The grid of a table page. */
export function gridOf(state: OpenState): Grid {
  const { shown, body, display, texts, grid } = state;
  const { table, title, columns, filters } = state.description;
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
    sortOfAll: shown?.query.ledger?.sort,
    filterFields: filters.flatMap(({ parameter, field = parameter, kind }) =>
      kind === 'instant' ? [] : [field],
    ),
    isBusy: body.kind === 'loading',
    display,
    texts,
    state: grid,
  };
}

/** The requested row; without a request the row that concerns the account, else the first row. */
export function firstActiveOf({
  startRow,
  marks,
  ledger,
  isStartMissing = false,
}: TablePage): number {
  const marked = isStartMissing || ledger ? undefined : marks[0]?.row;
  return startRow ?? marked ?? 0;
}

/** What an action does to the grid of a page, and what a screen reader hears of it. */
export function changeGrid(before: OpenState, action: GridAction): OpenState {
  const state = { ...before, grid: reduceGrid(gridOf(before), action) };
  const announcement = announcementOf(gridOf(state), action) ?? state.announcement;
  const actionError = requests.includes(action.kind) ? '' : state.actionError;
  return { ...state, announcement, actionError };
}

/** The actions that send a request, so that the error of an earlier one no longer holds. */
const requests: readonly GridAction['kind'][] = [
  'copyRequested',
  'fieldCopyRequested',
  'tradesRequested',
  'linkFollowed',
  'detailsRequested',
  'relatedRequested',
];
