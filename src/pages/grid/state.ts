import type {
  CellSelection,
  ColumnLayout,
  CopyFormat,
  FieldCopy,
  GridView,
  RowOfPage,
} from '../../protocol/gridMessages.ts';
import type { TableDescription } from '../../protocol/table.ts';
import type { DetailsAction, DetailsState } from './details.ts';
import type { CellPosition, Selection } from './selection.ts';
import type { Sort } from './order.ts';

/** What the user did to the grid. It holds no rows. */
export type GridState = {
  readonly layout: ColumnLayout;
  readonly sort: Sort | null;
  readonly active: CellPosition;
  readonly selection: Selection;
  /** The page that `active` and `selection` belong to; null before the first move. */
  readonly pageId: number | null;
  readonly areDetailsOpen: boolean;
  readonly details: DetailsState | null;
  /** The element knows where it is; this is for the next page of the panel. */
  readonly scroll: GridView['scroll'];
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
  | { readonly kind: 'columnResized'; readonly field: string; readonly width: number | null }
  | { readonly kind: 'columnToggled'; readonly field: string }
  | { readonly kind: 'layoutReset' }
  | { readonly kind: 'copied'; readonly selection: CellSelection | null }
  /** The host copies: it asks before it copies what privacy hides. */
  | { readonly kind: 'copyRequested'; readonly format: CopyFormat; readonly isRows: boolean }
  | { readonly kind: 'fieldCopyRequested'; readonly field: FieldChoice }
  | { readonly kind: 'tradesRequested' }
  | { readonly kind: 'detailsOpened' | 'detailsClosed' }
  | { readonly kind: 'findTyped'; readonly text: string }
  | { readonly kind: 'findStepped'; readonly by: 1 | -1 }
  | { readonly kind: 'findClosed' }
  | DetailsAction;

/** A field of the row whose details are open, or of a record that was found for it. */
export type FieldChoice = Omit<FieldCopy, keyof RowOfPage>;

/** What the next page gets of it. */
export function gridViewOf(grid: GridState): GridView {
  const { sort, active, selection, pageId, scroll, areDetailsOpen } = grid;
  return { sort, active, selection, pageId, scroll, areDetailsOpen };
}

/** As an earlier page of the panel left it. */
export function initialGrid({
  layout,
  kept,
}: Pick<TableDescription, 'layout' | 'kept'>): GridState {
  return {
    layout,
    sort: null,
    active: { row: 0, column: 0 },
    selection: [],
    pageId: null,
    areDetailsOpen: false,
    details: null,
    scroll: null,
    find: kept?.view?.find ?? null,
    copied: '',
    ...kept?.view?.grid,
  };
}
