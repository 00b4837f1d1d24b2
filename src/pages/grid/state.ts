import type { Display } from '../../base/display.ts';
import type {
  CellSelection,
  ColumnLayout,
  CopyFormat,
  FieldCopy,
  GridView,
  RowOfPage,
} from '../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import type { DetailsAction, DetailsState } from './details.ts';
import type { Sort } from './order.ts';
import type { CellPosition } from './selection.ts';
import type { GridTexts } from './texts.ts';

/** Everything that a grid shows. Whoever has the rows keeps `state`, and changes it with `reduceGrid`. */
export type Grid = {
  /** The name of the grid for the menus of VS Code. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly page: GridPage;
  /** The index of the row that is active before the first move. */
  readonly firstActive: number;
  /** How many rows earlier pages have. */
  readonly rowsBefore: number;
  /** How many rows all pages have; null if that is unknown. */
  readonly total: number | null;
  /** The order of the rows of all pages; undefined if the grid sorts the rows of its page. */
  readonly sortOfAll: Sort | null | undefined;
  /** The fields by which rows can be filtered. */
  readonly filterFields: readonly string[];
  /** Whether other rows load. */
  readonly isBusy: boolean;
  readonly display: Display;
  readonly texts: GridTexts;
  readonly state: GridState;
};

/** Rows that were read at one time. */
export type GridPage = {
  readonly id: number;
  /** One array of cells for each record, in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** Highlighted rows, by index, each with a label that says why. */
  readonly marks: readonly { readonly row: number; readonly label: string }[];
  /** The index of the row that a command asked for. */
  readonly startRow: number | null;
};

/** What the user did to the grid. It holds no rows. */
export type GridState = GridView & {
  readonly layout: ColumnLayout;
  readonly details: DetailsState | null;
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
  | { readonly kind: 'rowsSelected' | 'allSelected' | 'escaped' }
  | { readonly kind: 'sorted'; readonly field: string }
  | { readonly kind: 'scrolled'; readonly scroll: GridView['scroll'] }
  | { readonly kind: 'columnMoved'; readonly field: string; readonly target: string }
  /** Null makes the column fit its cells. */
  | { readonly kind: 'columnResized'; readonly field: string; readonly width: number | null }
  | { readonly kind: 'columnToggled'; readonly field: string }
  | { readonly kind: 'layoutReset' }
  | { readonly kind: 'copied'; readonly selection: CellSelection | null }
  /** The host copies: it asks before it copies what privacy hides. */
  | { readonly kind: 'copyRequested'; readonly format: CopyFormat; readonly isRows: boolean }
  | { readonly kind: 'fieldCopyRequested'; readonly field: FieldChoice }
  | { readonly kind: 'linkFollowed'; readonly link: string }
  | { readonly kind: 'tradesRequested' }
  | { readonly kind: 'detailsOpened' | 'detailsClosed' }
  | { readonly kind: 'findTyped'; readonly text: string }
  | { readonly kind: 'findStepped'; readonly by: 1 | -1 }
  | { readonly kind: 'findClosed' }
  | DetailsAction;

export type GridDispatch = (action: GridAction) => void;

/** A field of the row whose details are open, or of a record that was found for it. */
export type FieldChoice = Omit<FieldCopy, keyof RowOfPage>;

/** What the next page gets of it. */
export function gridViewOf({
  sort,
  active,
  selection,
  pageId,
  scroll,
  areDetailsOpen,
}: GridState): GridView {
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
    details: null,
    scroll: null,
    find: null,
    copied: '',
    ...kept,
  };
}
