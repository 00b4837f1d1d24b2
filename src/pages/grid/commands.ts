import { copiedText } from '../../protocol/copiedText.ts';
import type { GridCommand, GridMethods } from '../../protocol/gridMessages.ts';
import { isLink } from './cells.ts';
import {
  activeRow,
  cellAt,
  gridPositions,
  selectionOf,
  type Grid,
  type GridAction,
  type GridState,
} from './model.ts';

/** The action that a menu command of VS Code asks for; null if the grid has none. */
export function commandAction(command: GridCommand, grid: Grid): GridAction | null {
  const field = cellAt(grid).column?.field;
  switch (command.kind) {
    case 'copy':
      return { kind: 'copyRequested', format: command.format, isRows: command.isRows };
    case 'showDetails':
      return { kind: 'detailsOpened' };
    case 'sortColumn':
      return field === undefined ? null : { kind: 'sorted', field };
    case 'hideColumn':
      return field === undefined ? null : { kind: 'columnToggled', field };
    case 'fitColumn':
      return field === undefined ? null : { kind: 'columnResized', field, width: null };
    case 'filter':
    case 'openTrades':
    case 'openPosition':
      return null;
  }
}

/**
 * What VS Code's context menu depends on, as JSON: the conditions of `webview/context` in package.json.
 * Cut and Paste do nothing here, and the grid has its own Copy.
 */
export function menuContext(grid: Grid): string {
  const { column, cells } = cellAt(grid);
  return JSON.stringify({
    preventDefaultContextMenuItems: true,
    webviewSection: cells.length > 0 ? 'gridCell' : 'gridHeader',
    gridTable: grid.name,
    ...grid.menuOf?.(column?.field),
  });
}

/** The address in the active cell; null if it has no link. */
export function activeLink(grid: Grid): string | null {
  const { column, cell } = cellAt(grid);
  return column?.kind === 'link' && isLink(cell) ? cell : null;
}

/**
 * What Ctrl+C puts into the clipboard now: the selected cells as TSV, or the label of the active header cell.
 * Without a text, the host is asked to copy: only that has masked figures.
 */
export function copyCells(grid: Grid): { readonly text?: string; readonly action: GridAction } {
  const { columns, page, display } = grid;
  if (gridPositions(grid).active.row < 0)
    return { text: cellAt(grid).column?.label ?? '', action: { kind: 'copied', selection: null } };
  const selection = selectionOf(grid);
  const isMasked = selection.rows.some(({ row, columns: own }) =>
    own.some((index) => {
      const field = columns[index]?.field;
      return field !== undefined && display.hides(field) && page.rows[row]?.[index] !== null;
    }),
  );
  if (isMasked) return { action: { kind: 'copyRequested', format: 'tsv', isRows: false } };
  const text = copiedText({ selection, format: 'tsv' }, columns, page.rows) ?? '';
  return { text, action: { kind: 'copied', selection } };
}

type Send = <Name extends keyof GridMethods>(
  name: Name,
  params: GridMethods[Name]['params'],
) => void;

/** Asks the host for what an action needs of it, and has it keep a new layout. */
export function askHost(send: Send, before: GridState, grid: Grid, action: GridAction): void {
  const { layout } = grid.state;
  const row = activeRow(grid);
  if (layout !== before.layout) send('grid/layout', layout);
  if (action.kind === 'copyRequested' && gridPositions(grid).active.row >= 0)
    send('grid/copy', { selection: selectionOf(grid, action.isRows), format: action.format });
  if (action.kind === 'fieldCopyRequested' && row)
    send('grid/copyField', { ...row, ...action.field });
}
