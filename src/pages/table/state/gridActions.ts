import type { GridCommand } from '../../../protocol/gridMessages.ts';
import type { Column } from '../../../protocol/table.ts';
import { filterByCell } from './filterActions.ts';
import { activeRow, gridPositions } from '../../grid/positions.ts';
import { reduceGrid } from '../../grid/reducer.ts';
import type { GridAction } from '../../grid/state.ts';
import {
  withoutRequest,
  type Action,
  type GridPage,
  type OpenState,
  type PageState,
  type Transition,
} from './pageState.ts';

/** What an action does to the grid of a page, and what a screen reader hears of it. */
export function changeGrid<Page extends GridPage>(before: Page, action: GridAction): Page {
  const state = { ...before, grid: reduceGrid(before, action) };
  if (action.kind === 'copied') return { ...state, announcement: state.grid.copied };
  if (action.kind === 'sorted') return { ...state, announcement: sortText(state) };
  return requests.includes(action.kind) ? { ...state, actionError: '' } : state;
}

/** The actions that send a request, so that the error of an earlier one no longer holds. */
const requests: readonly GridAction['kind'][] = [
  'copyRequested',
  'fieldCopyRequested',
  'tradesRequested',
  'detailsRequested',
  'relatedRequested',
];

function sortText({ grid: { sort }, texts }: GridPage): string {
  if (!sort) return texts.unsorted;
  return sort.isDescending ? texts.sortedDescending : texts.sortedAscending;
}

/** The action on the grid that a menu command of VS Code asks for; null if there is none. */
export function commandAction(command: GridCommand, page: GridPage): GridAction | null {
  const field = activeColumn(page)?.field;
  switch (command.kind) {
    case 'copy':
      return { kind: 'copyRequested', format: command.format, isRows: command.isRows };
    case 'openTrades':
      return { kind: 'tradesRequested' };
    case 'showDetails':
      return { kind: 'detailsOpened' };
    case 'sortColumn':
      return field === undefined ? null : { kind: 'sorted', field };
    case 'hideColumn':
      return field === undefined ? null : { kind: 'columnToggled', field };
    case 'fitColumn':
      return field === undefined ? null : { kind: 'columnResized', field, width: null };
    case 'filter':
      return null;
  }
}

function activeColumn(page: GridPage): Column | undefined {
  const { order, active } = gridPositions(page) ?? {};
  return page.description.columns[order?.columns[active?.column ?? -1] ?? -1];
}

/** Filters the rows by the value of the active cell. */
export function filterByActiveCell(state: OpenState): Transition {
  const positions = gridPositions(state);
  const index = positions?.order.columns[positions.active.column] ?? -1;
  const row = positions && activeRow(positions);
  const cell = row ? positions.page.rows[row.row]?.[index] : null;
  const field = activeColumn(state)?.field;
  if (field === undefined || cell === null || cell === undefined) return withoutRequest(state);
  return filterByCell(state, field, cell);
}

/** The action on the grid within an action on the page, if it is one. */
export function gridActionOf(action: Action, state: PageState): GridAction | null {
  if (action.kind === 'gridCommanded')
    return state.kind === 'open' ? commandAction(action.command, state) : null;
  return action.kind === 'grid' ? action.action : null;
}
