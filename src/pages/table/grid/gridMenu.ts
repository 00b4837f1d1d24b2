import { parameterOf } from '../filters/cellFilter.ts';
import type { OpenState } from '../state/pageState.ts';
import { activeRow, type GridPositions } from './gridPositions.ts';

/**
 * What VS Code's context menu depends on, as JSON: the conditions of `webview/context` in package.json.
 * Cut and Paste do nothing here, and the grid has its own Copy.
 */
export function menuContext(state: OpenState, positions: GridPositions): string {
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
