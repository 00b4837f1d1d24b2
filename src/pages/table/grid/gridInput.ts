import type { OpenState } from '../state/pageState.ts';
import { cellTooltip, isLink } from './gridCells.ts';
import { gridKey } from './gridKeys.ts';
import { cellOf, positionOf } from './gridPointer.ts';
import type { GridPositions } from './gridPositions.ts';
import { rowHeight } from './gridRows.ts';
import type { GridAction } from './gridState.ts';

/** What keys and the mouse need of the grid. */
export type InputTarget = {
  readonly element: HTMLElement;
  readonly positions: () => GridPositions | null;
  /** Of the shown columns, in CSS pixels. */
  readonly widths: () => readonly number[];
  readonly fieldAt: (column: number) => string;
  readonly dispatch: (action: GridAction) => void;
  readonly previewWidth: (column: number, width: number) => void;
};

/** Returns whether the grid handles the key. */
export function pressKey(
  event: KeyboardEvent,
  { active, order }: GridPositions,
  { element, widths, fieldAt, dispatch }: InputTarget,
): boolean {
  const { column } = active;
  const pageRows = Math.max(1, Math.floor(element.clientHeight / rowHeight) - 2);
  const extent = { rows: order.rows.length, columns: order.columns.length, pageRows };
  const key = gridKey(event, active, extent);
  const field = fieldAt(column);
  switch (key?.kind) {
    case undefined:
      return false;
    case 'action':
      dispatch(key.action);
      return true;
    case 'sort':
      dispatch({ kind: 'sorted', field });
      return true;
    case 'moveColumn':
      dispatch({ kind: 'columnMoved', field, target: fieldAt(column + key.by) });
      return true;
    case 'width': {
      const width = key.by === null ? null : (widths()[column] ?? 0) + key.by;
      dispatch({ kind: 'columnResized', field, width });
      return true;
    }
  }
}

/** The address in the active cell; null if it has no link. */
export function activeLink(
  { description: { columns } }: OpenState,
  { page, order, active }: GridPositions,
): string | null {
  const index = order.columns[active.column] ?? -1;
  const link = page.rows[order.rows[active.row] ?? -1]?.[index];
  return columns[index]?.kind === 'link' && isLink(link) ? link : null;
}

/** Sets the tooltip on hover: doing so for hundreds of cells at once would be slow. */
export function showTooltip(
  event: MouseEvent,
  { description, display }: OpenState,
  { page, order }: GridPositions,
): HTMLElement | null {
  const cell = cellOf(event);
  const position = positionOf(cell);
  if (!cell || !position || position.row < 0) return null;
  const row = page.rows[order.rows[position.row] ?? -1] ?? [];
  const index = order.columns[position.column] ?? -1;
  const own = cellTooltip(row, index, description.columns, display);
  cell.title = own === '' && cell.scrollWidth > cell.clientWidth ? cell.innerText : own;
  return cell;
}
