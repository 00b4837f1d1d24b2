import type { Display } from '../../base/display.ts';
import type {
  CellSelection,
  ColumnLayout,
  CopyFormat,
  FieldCopy,
  GridView,
  RowOfPage,
} from '../../protocol/gridMessages.ts';
import type { Cell, Column, RelatedRecords, RowDetails, TablePage } from '../../protocol/table.ts';
import { gridOrder, type Sort } from './order.ts';
import { selectedCells, wholeRows, type CellPosition } from './selection.ts';
import type { GridTexts } from './texts.ts';

/** Everything that a grid shows. The owner of the rows keeps `state`, and changes it with `reduceGrid`. */
export type Grid = {
  /** The name of the grid for the menus of VS Code. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly page: GridPage;
  /** Names the record of each row, which may have another place after the next read. */
  readonly keys: () => readonly string[];
  /** The index of the row that is active before the first move. */
  readonly firstActive?: number;
  /** How many rows earlier pages have. */
  readonly rowsBefore?: number;
  /** How many rows all pages have; null if that is unknown. */
  readonly total?: number | null;
  /** How the rows came sorted; without it the grid sorts them. */
  readonly sortedBy?: Sort | null | undefined;
  /** What is sorted, in a word beside the arrow. */
  readonly sortedWord?: string;
  /** What else the menu of a cell depends on. */
  readonly menuOf?: (field: string | undefined) => object;
  /** Whether other rows load. */
  readonly isBusy?: boolean;
  readonly display: Display;
  /** Of the active row, while they are open. */
  readonly details?: Answer<GridDetails>;
  readonly texts: GridTexts;
  readonly state: GridState;
};

/** Rows that were read at one time. */
export type GridPage = Pick<TablePage, 'id' | 'rows'> &
  Partial<Pick<TablePage, 'marks' | 'startRow'>>;

/** What a request returned, or why it failed. While it runs, what the one before it returned. */
export type Answer<Value> =
  | { readonly kind: 'loading'; readonly earlier?: Value | undefined }
  | { readonly kind: 'loaded'; readonly value: Value }
  | { readonly kind: 'failed'; readonly sentence: string };

/** Every field of a row, and other records below them: also those that the user asked for, or why there are none. */
export type GridDetails = Omit<RowDetails, 'more'> & {
  readonly more?: { readonly label: string; readonly answer?: Answer<RelatedRecords> };
};

/** What the user did to the grid. It holds no rows. */
export type GridState = GridView & {
  readonly layout: ColumnLayout;
  /** What is searched in the page; null if the search is closed. */
  readonly find: string | null;
  /** What was copied last, in words; empty after the next move. */
  readonly copied: string;
};

/** `extend` keeps the other end of the selection, `add` adds a range to it, and `keep` leaves it unchanged. */
export type MoveMode = 'move' | 'extend' | 'add' | 'keep';

export type GridAction =
  | {
      readonly kind: 'moved';
      readonly to: CellPosition;
      readonly mode: MoveMode;
      readonly isRows?: boolean;
    }
  | { readonly kind: 'rowsSelected' | 'allSelected' | 'escaped' | 'layoutReset' | 'findClosed' }
  | { readonly kind: 'detailsOpened' | 'detailsClosed' | 'moreRequested' }
  | { readonly kind: 'sorted' | 'columnToggled'; readonly field: string }
  | { readonly kind: 'scrolled'; readonly scroll: GridView['scroll'] }
  | { readonly kind: 'columnMoved'; readonly field: string; readonly target: string }
  /** Null makes the column fit its cells. */
  | { readonly kind: 'columnResized'; readonly field: string; readonly width: number | null }
  | { readonly kind: 'copied'; readonly selection: CellSelection | null }
  /** The host copies: it asks before it copies what privacy hides. */
  | { readonly kind: 'copyRequested'; readonly format: CopyFormat; readonly isRows: boolean }
  | { readonly kind: 'fieldCopyRequested'; readonly field: FieldChoice }
  | { readonly kind: 'linkFollowed'; readonly link: string }
  | { readonly kind: 'findTyped'; readonly text: string }
  | { readonly kind: 'findStepped'; readonly by: 1 | -1 };

export type GridDispatch = (action: GridAction) => void;

/** A field of the row whose details are open, or of a record that was found for it. */
export type FieldChoice = Omit<FieldCopy, keyof RowOfPage>;

/** What the next page gets of it. */
export function gridViewOf(state: GridState): GridView {
  const { sort, active, selection, pageId, scroll, areDetailsOpen } = state;
  return { sort, active, selection, pageId, scroll, areDetailsOpen };
}

/** As an earlier page left it. */
export function initialGrid(layout: ColumnLayout, kept: Partial<GridState> = {}): GridState {
  return {
    layout,
    sort: null,
    active: { row: 0, column: 0 },
    selection: [],
    pageId: null,
    areDetailsOpen: false,
    scroll: null,
    find: null,
    copied: '',
    ...kept,
  };
}

export type GridPositions = ReturnType<typeof gridPositions>;

/** Where the rows, the active cell and the selection are. On another page that cell is at the start of its column. */
export function gridPositions(grid: Grid) {
  const { columns, page, display, firstActive = 0, sortedBy } = grid;
  const { layout, active, selection, pageId } = grid.state;
  const sort = sortedBy === undefined ? grid.state.sort : null;
  const order = gridOrder(columns, page.rows, layout, sort, display);
  const isSamePage = pageId === page.id;
  const row = isSamePage ? active.row : Math.max(0, order.rows.indexOf(firstActive));
  const last = { row: order.rows.length - 1, column: order.columns.length - 1 };
  return {
    order,
    active: { row: Math.min(row, last.row), column: Math.min(active.column, last.column) },
    selection: isSamePage ? selection : [],
  };
}

export function shownSort({ sortedBy, state }: Grid): Sort | null {
  return sortedBy === undefined ? state.sort : sortedBy;
}

/** The selected cells, or the active one. Empty if the header is active. */
export function selectionOf(grid: Grid, isRows = false): CellSelection {
  const { order, active, selection } = gridPositions(grid);
  const rows = selection.length > 0 ? selection : wholeRows([], active);
  const ranges = isRows ? rows.map((range) => ({ ...range, isRows })) : selection;
  return selectedCells(ranges, active, order, grid.page.id);
}

/** The active row by its index in the page; null if the header is active. */
export function activeRow(grid: Grid): RowOfPage | null {
  const { order, active } = gridPositions(grid);
  const row = order.rows[active.row];
  return row === undefined ? null : { pageId: grid.page.id, row };
}

/** The active cell or the one at a place, with its column, the index of that, and its row. The header has no cells. */
export function cellAt(grid: Grid, place?: CellPosition) {
  const { order, active } = gridPositions(grid);
  const { row, column } = place ?? active;
  const index = order.columns[column] ?? -1;
  const cells: readonly Cell[] = grid.page.rows[order.rows[row] ?? -1] ?? [];
  return { column: grid.columns[index], index, cells, cell: cells[index] ?? null };
}
