import { defaultLayout } from '../../protocol/gridMessages.ts';
import { reduceDetails } from './details.ts';
import {
  extendSelection,
  wholeRows,
  type CellPosition,
  type Selection,
} from './selection.ts';
import type { GridPage } from '../table/state/pageState.ts';
import { moveColumn, resizeColumn, shownColumns, toggleColumn } from './layout.ts';
import { nextMatch } from './find.ts';
import { gridOrder, nextSort } from './order.ts';
import { gridPositions, type GridPositions } from './positions.ts';
import type { GridAction, GridState } from './state.ts';

/** What an action does to the grid. Actions that need rows do nothing without them. */
export function reduceGrid(state: GridPage, action: GridAction): GridState {
  const { grid } = state;
  switch (action.kind) {
    case 'columnResized':
      return { ...grid, layout: resizeColumn(grid.layout, action.field, action.width) };
    case 'columnMoved':
    case 'columnToggled':
    case 'layoutReset':
      return arrangeColumns(state, action);
    case 'scrolled':
      return { ...grid, scroll: action.scroll };
    case 'copied':
      return { ...placedGrid(state), copied: state.texts.copiedCells(action.selection) };
    case 'detailsOpened':
      return { ...grid, areDetailsOpen: true };
    case 'detailsClosed':
      return { ...grid, areDetailsOpen: false, details: null };
    case 'findTyped':
      return findFirst({ ...state, grid: { ...grid, find: action.text } });
    case 'findClosed':
      return { ...grid, find: null };
    case 'copyRequested':
    case 'fieldCopyRequested':
    case 'tradesRequested':
      return { ...grid, copied: '' };
    case 'detailsRequested':
    case 'detailsAnswered':
    case 'relatedRequested':
    case 'relatedAnswered':
      return { ...grid, details: reduceDetails(grid.details, action) };
    case 'moved':
    case 'rowsSelected':
    case 'allSelected':
    case 'escaped':
    case 'sorted':
    case 'findStepped': {
      const positions = gridPositions(state);
      return positions ? reducePositions(state, positions, action) : grid;
    }
  }
}

/** The grid with its positions bound to the page that is shown. */
function placedGrid(state: GridPage): GridState {
  const positions = gridPositions(state);
  if (!positions) return state.grid;
  const { active, selection, page } = positions;
  return { ...state.grid, active, selection, pageId: page.id };
}

type PositionAction = Extract<
  GridAction,
  { kind: 'moved' | 'rowsSelected' | 'allSelected' | 'escaped' | 'sorted' | 'findStepped' }
>;

function reducePositions(
  state: GridPage,
  positions: GridPositions,
  action: PositionAction,
): GridState {
  const { grid } = state;
  const { active, selection, page, order } = positions;
  const place = (to: CellPosition, selected: Selection): GridState => ({
    ...grid,
    active: to,
    selection: selected,
    pageId: page.id,
    copied: '',
  });
  switch (action.kind) {
    case 'moved':
      return place(action.to, movedSelection(positions, action));
    case 'rowsSelected':
      return place(active, wholeRows(selection, active));
    case 'allSelected': {
      const end = { row: order.rows.length - 1, column: order.columns.length - 1 };
      // In the header, copying would copy its label.
      const inRows = { ...active, row: Math.max(0, active.row) };
      return place(inRows, [{ anchor: { row: 0, column: 0 }, end, isRows: true }]);
    }
    case 'escaped':
      if (selection.length > 0) return place(active, []);
      return { ...grid, areDetailsOpen: false, details: null };
    case 'sorted':
      return sortBy(state, positions, action.field);
    case 'findStepped':
      return place(nextMatch(state, positions, active, action.by) ?? active, []);
  }
}

function movedSelection(
  { active, selection }: GridPositions,
  { to, mode, isRows = false }: Extract<GridAction, { kind: 'moved' }>,
): Selection {
  if (mode === 'extend') return extendSelection(selection, active, to);
  if (mode === 'keep') return selection;
  const range = { anchor: to, end: to, isRows };
  if (mode === 'move') return isRows ? [range] : [];
  const first = { anchor: active, end: active, isRows: false };
  return [...(selection.length > 0 ? selection : [first]), range];
}

/** Ascending, descending, then as the exchange returned the rows. The active cell stays on its record. */
function sortBy(state: GridPage, { page, order, active }: GridPositions, field: string): GridState {
  const { grid, description, display } = state;
  const sort = nextSort(grid.sort, field);
  const { rows } = gridOrder(description.columns, page.rows, grid.layout, sort, display);
  const record = order.rows[active.row];
  const row = record === undefined ? active.row : rows.indexOf(record);
  return { ...grid, sort, active: { ...active, row }, selection: [], pageId: page.id, copied: '' };
}

/** The active cell stays in its column while the column is shown. */
function arrangeColumns(
  { grid, description: { columns } }: GridPage,
  action: Extract<GridAction, { kind: 'columnMoved' | 'columnToggled' | 'layoutReset' }>,
): GridState {
  const before = shownColumns(columns, grid.layout);
  const layout = layoutAfter(grid, columns, action);
  const after = shownColumns(columns, layout);
  const index = before[grid.active.column];
  const column = Math.max(0, index === undefined ? 0 : after.indexOf(index));
  return { ...grid, layout, active: { ...grid.active, column }, selection: [] };
}

function layoutAfter(
  { layout }: GridState,
  columns: GridPage['description']['columns'],
  action: Extract<GridAction, { kind: 'columnMoved' | 'columnToggled' | 'layoutReset' }>,
): GridState['layout'] {
  if (action.kind === 'layoutReset') return defaultLayout;
  return action.kind === 'columnToggled'
    ? toggleColumn(columns, layout, action.field)
    : moveColumn(columns, layout, action.field, action.target);
}

/** The search continues from the active cell, so that typing more letters stays at a match. */
function findFirst(state: GridPage): GridState {
  const positions = gridPositions(state);
  if (!positions) return state.grid;
  const match = nextMatch(state, positions, positions.active, 0);
  const active = match ?? positions.active;
  return { ...state.grid, active, selection: [], pageId: positions.page.id, copied: '' };
}
