import type { CellSelection, RowOfPage } from '../../protocol/gridMessages.ts';
import type { TablePage } from '../../protocol/table.ts';
import {
  selectedCells,
  wholeRows,
  type CellPosition,
  type Selection,
} from './selection.ts';
import { shownSort } from '../table/state/ledgerActions.ts';
import { shownRows, type GridPage } from '../table/state/pageState.ts';
import { gridOrder, type GridOrder } from './order.ts';

/** The rows on the page with the places of the active cell and of the selection among them. */
export type GridPositions = {
  readonly page: TablePage;
  readonly order: GridOrder;
  readonly active: CellPosition;
  readonly selection: Selection;
};

/** On another page the active cell is at the start, in the same column. Null without a page. */
export function gridPositions(state: GridPage): GridPositions | null {
  const page = shownRows(state.body)?.page;
  if (!page) return null;
  const { columns } = state.description;
  const { layout, active, selection, pageId } = state.grid;
  const { sort, isOfAllRows } = shownSort(state);
  const order = gridOrder(columns, page.rows, layout, isOfAllRows ? null : sort, state.display);
  const isSamePage = pageId === page.id;
  const row = isSamePage ? active.row : Math.max(0, order.rows.indexOf(startRowOf(page)));
  const last = { row: order.rows.length - 1, column: order.columns.length - 1 };
  return {
    page,
    order,
    active: { row: Math.min(row, last.row), column: Math.min(active.column, last.column) },
    selection: isSamePage ? selection : [],
  };
}

/** The requested row; without a request the row that concerns the account, else the first row. */
function startRowOf({ startRow, marks, ledger, isStartMissing = false }: TablePage): number {
  const marked = isStartMissing || ledger ? undefined : marks[0]?.row;
  return startRow ?? marked ?? 0;
}

/** The selected cells, or the active one. Empty if the header is active. */
export function selectionOf(
  { page, order, active, selection }: GridPositions,
  isRows = false,
): CellSelection {
  const ranges = isRows ? selection.map((range) => ({ ...range, isRows })) : selection;
  const rows = isRows && ranges.length === 0 ? wholeRows([], active) : ranges;
  return selectedCells(rows, active, order, page.id);
}

/** The active row by its index in the page; null if the header is active. */
export function activeRow({ page, order, active }: GridPositions): RowOfPage | null {
  const row = order.rows[active.row];
  return row === undefined ? null : { pageId: page.id, row };
}
