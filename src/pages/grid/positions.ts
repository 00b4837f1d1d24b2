import type { CellSelection, RowOfPage } from '../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { gridOrder, type GridOrder, type Sort } from './order.ts';
import { selectedCells, wholeRows, type CellPosition, type Selection } from './selection.ts';
import type { Grid } from './state.ts';

/** Where the rows, the active cell and the selection are. */
export type GridPositions = {
  readonly order: GridOrder;
  readonly active: CellPosition;
  readonly selection: Selection;
};

/** On another page the active cell is at the start, in the same column. */
export function gridPositions(grid: Grid): GridPositions {
  const { columns, page, display, firstActive } = grid;
  const { layout, active, selection, pageId } = grid.state;
  const { sort, isOfAllRows } = shownSort(grid);
  const order = gridOrder(columns, page.rows, layout, isOfAllRows ? null : sort, display);
  const isSamePage = pageId === page.id;
  const row = isSamePage ? active.row : Math.max(0, order.rows.indexOf(firstActive));
  const last = { row: order.rows.length - 1, column: order.columns.length - 1 };
  return {
    order,
    active: { row: Math.min(row, last.row), column: Math.min(active.column, last.column) },
    selection: isSamePage ? selection : [],
  };
}

/** How the rows are sorted, and whether that is the order of all rows. */
export function shownSort({ sortOfAll, state }: Pick<Grid, 'sortOfAll' | 'state'>): {
  readonly sort: Sort | null;
  readonly isOfAllRows: boolean;
} {
  const isOfAllRows = sortOfAll !== undefined;
  return { sort: isOfAllRows ? sortOfAll : state.sort, isOfAllRows };
}

/** The selected cells, or the active one. Empty if the header is active. */
export function selectionOf(grid: Grid, isRows = false): CellSelection {
  const { order, active, selection } = gridPositions(grid);
  const ranges = isRows ? selection.map((range) => ({ ...range, isRows })) : selection;
  const rows = isRows && ranges.length === 0 ? wholeRows([], active) : ranges;
  return selectedCells(rows, active, order, grid.page.id);
}

/** The active row by its index in the page; null if the header is active. */
export function activeRow(grid: Grid): RowOfPage | null {
  const { order, active } = gridPositions(grid);
  const row = order.rows[active.row];
  return row === undefined ? null : { pageId: grid.page.id, row };
}

/** What a place shows; a place in the header has no cell. */
type Place = {
  readonly column: Column | undefined;
  /** Of the column. */
  readonly index: number;
  /** All of the row. */
  readonly cells: readonly Cell[];
  readonly cell: Cell;
};

/** The active cell, or the one at a place. */
export function cellAt(grid: Grid, place?: CellPosition): Place {
  const { order, active } = gridPositions(grid);
  const { row, column } = place ?? active;
  const index = order.columns[column] ?? -1;
  const cells = grid.page.rows[order.rows[row] ?? -1] ?? [];
  return { column: grid.columns[index], index, cells, cell: cells[index] ?? null };
}
