import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import { nextMatch } from './find.ts';
import {
  moveColumn,
  resizeColumn,
  shownColumns,
  toggleColumn,
  gridOrder,
  nextSort,
} from './order.ts';
import { gridPositions, type Grid, type GridAction, type GridState } from './model.ts';
import { extendSelection, wholeRows, type CellPosition, type Selection } from './selection.ts';
import { defaultLayout } from '../../protocol/values.ts';

/** What an action does to a grid. */
export function reduceGrid(grid: Grid, action: GridAction): GridState {
  const { state, columns, texts } = grid;
  const { active, selection, order } = gridPositions(grid);
  const place = (to: CellPosition, selected: Selection): GridState => placeIn(grid, to, selected);
  switch (action.kind) {
    case 'moved':
      return place(action.to, movedSelection(grid, action));
    case 'rowsSelected':
      return place(active, wholeRows(selection, active));
    case 'allSelected': {
      const end = { row: order.rows.length - 1, column: order.columns.length - 1 };
      // In the header, copying would copy its label.
      const inRows = { ...active, row: Math.max(0, active.row) };
      return place(inRows, [{ anchor: { row: 0, column: 0 }, end, isRows: true }]);
    }
    case 'escaped':
      return selection.length > 0 ? place(active, []) : { ...state, areDetailsOpen: false };
    case 'sorted':
      return sortBy(grid, action.field);
    case 'columnResized':
      return { ...state, layout: resizeColumn(state.layout, action.field, action.width) };
    case 'columnMoved':
      return arrange(grid, moveColumn(columns, state.layout, action.field, action.target));
    case 'columnToggled':
      return arrange(grid, toggleColumn(columns, state.layout, action.field));
    case 'layoutReset':
      return arrange(grid, defaultLayout);
    case 'scrolled':
      return { ...state, scroll: action.scroll };
    case 'copied':
      return placeIn(grid, active, selection, texts.copiedCells(action.selection));
    case 'detailsOpened':
      return { ...state, areDetailsOpen: true };
    case 'detailsClosed':
      return { ...state, areDetailsOpen: false };
    case 'findTyped':
      return findFirst({ ...grid, state: { ...state, find: action.text } }, active);
    case 'findStepped':
      return place(nextMatch(grid, active, action.by) ?? active, []);
    case 'findClosed':
      return { ...state, find: null };
    case 'copyRequested':
    case 'fieldCopyRequested':
      return { ...state, copied: '' };
    case 'linkFollowed':
    case 'moreRequested':
      return state;
  }
}

/** What a screen reader hears after an action; null if the grid says it itself. */
export function announcementOf({ state, texts }: Grid, { kind }: GridAction): string | null {
  if (kind === 'copied') return state.copied;
  if (kind !== 'sorted') return null;
  if (!state.sort) return texts.unsorted;
  return state.sort.isDescending ? texts.sortedDescending : texts.sortedAscending;
}

/** These positions are of the page that is shown. */
function placeIn(
  { state, page }: Grid,
  active: CellPosition,
  selection: Selection = [],
  copied = '',
): GridState {
  return { ...state, active, selection, pageId: page.id, copied };
}

function movedSelection(
  grid: Grid,
  { to, mode, isRows = false }: Extract<GridAction, { kind: 'moved' }>,
): Selection {
  const { active, selection } = gridPositions(grid);
  if (mode === 'extend') return extendSelection(selection, active, to);
  if (mode === 'keep') return selection;
  const range = { anchor: to, end: to, isRows };
  if (mode === 'move') return isRows ? [range] : [];
  const first = { anchor: active, end: active, isRows: false };
  return [...(selection.length > 0 ? selection : [first]), range];
}

/** Ascending, descending, then as the rows were read. The active cell stays on its record. */
function sortBy(grid: Grid, field: string): GridState {
  const { state, columns, page, display } = grid;
  const { order, active } = gridPositions(grid);
  const sort = nextSort(state.sort, field);
  const { rows } = gridOrder(columns, page.rows, state.layout, sort, display);
  const record = order.rows[active.row];
  const row = record === undefined ? active.row : rows.indexOf(record);
  return { ...placeIn(grid, { ...active, row }), sort };
}

/** The active cell stays in its column while the column is shown. */
function arrange({ state, columns }: Grid, layout: ColumnLayout): GridState {
  const index = shownColumns(columns, state.layout)[state.active.column] ?? -1;
  const column = Math.max(0, shownColumns(columns, layout).indexOf(index));
  return { ...state, layout, active: { ...state.active, column }, selection: [] };
}

/** The search continues from the active cell, so that typing more letters stays at a match. */
function findFirst(grid: Grid, active: CellPosition): GridState {
  return placeIn(grid, nextMatch(grid, active, 0) ?? active);
}
