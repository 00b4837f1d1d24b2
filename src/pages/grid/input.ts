import { copiedText } from '../../protocol/copiedText.ts';
import { parameterOf } from '../table/state/filterActions.ts';
import type { GridPage } from '../table/state/pageState.ts';
import { cellTooltip, isLink } from './cells.ts';
import { gridKey } from './keys.ts';
import { cellOf, positionOf } from './pointer.ts';
import { type GridPositions, activeRow, selectionOf } from './positions.ts';
import { rowHeight } from './rows.ts';
import type { GridAction } from './state.ts';

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
  { description: { columns } }: GridPage,
  { page, order, active }: GridPositions,
): string | null {
  const index = order.columns[active.column] ?? -1;
  const link = page.rows[order.rows[active.row] ?? -1]?.[index];
  return columns[index]?.kind === 'link' && isLink(link) ? link : null;
}

/** The tooltip of the cell under the pointer: to set those of hundreds of cells at once would be slow. */
export class CellTooltip {
  private titled: HTMLElement | null = null;

  show(event: MouseEvent, { description, display }: GridPage, positions: GridPositions): void {
    const { page, order } = positions;
    this.forget();
    const cell = cellOf(event);
    const position = positionOf(cell);
    if (!cell || !position || position.row < 0) return;
    const row = page.rows[order.rows[position.row] ?? -1] ?? [];
    const index = order.columns[position.column] ?? -1;
    const own = cellTooltip(row, index, description.columns, display);
    cell.title = own === '' && cell.scrollWidth > cell.clientWidth ? cell.innerText : own;
    this.titled = cell;
  }

  /** The element may show another cell next. */
  forget(): void {
    this.titled?.removeAttribute('title');
    this.titled = null;
  }
}

/**
 * What VS Code's context menu depends on, as JSON: the conditions of `webview/context` in package.json.
 * Cut and Paste do nothing here, and the grid has its own Copy.
 */
export function menuContext(state: GridPage, positions: GridPositions): string {
  const { table, columns, filters } = state.description;
  const row = activeRow(positions);
  const field = columns[positions.order.columns[positions.active.column] ?? -1]?.field;
  return JSON.stringify({
    preventDefaultContextMenuItems: true,
    webviewSection: row ? 'gridCell' : 'gridHeader',
    gridTable: table,
    gridCellFilters: field !== undefined && parameterOf(field, filters) !== undefined,
  });
}

/** What Ctrl+C puts into the clipboard now; without a text, the host is asked to copy. */
type CopiedCells = { readonly text?: string; readonly action: GridAction };

/** The selected cells as TSV, or the label of the active header cell. Only the host has masked figures. */
export function copyCells(
  { description: { columns }, display }: GridPage,
  positions: GridPositions,
): CopiedCells {
  const { page, order, active } = positions;
  const label = columns[order.columns[active.column] ?? -1]?.label;
  if (active.row < 0) return { text: label ?? '', action: { kind: 'copied', selection: null } };
  const selection = selectionOf(positions);
  const isMasked = ({ row, columns: own }: (typeof selection.rows)[number]): boolean =>
    own.some((index) => {
      const field = columns[index]?.field;
      return field !== undefined && display.hides(field) && page.rows[row]?.[index] !== null;
    });
  if (selection.rows.some(isMasked))
    return { action: { kind: 'copyRequested', format: 'tsv', isRows: false } };
  const text = copiedText({ selection, format: 'tsv' }, columns, page.rows) ?? '';
  return { text, action: { kind: 'copied', selection } };
}
