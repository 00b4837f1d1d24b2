import type { Display } from '../../base/display.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { cellText, gridCellText } from './cells.ts';
import { rememberLast, type GridOrder } from './order.ts';
import { gridPositions, type Grid } from './model.ts';
import { cellId } from './rows.ts';
import type { CellPosition } from './selection.ts';

/** The cells of the page that contain the text, as shown or as the exchange wrote it, row by row. */
const findMatches = rememberLast(
  (
    find: string,
    columns: readonly Column[],
    rows: readonly (readonly Cell[])[],
    order: GridOrder,
    display: Display,
  ): readonly CellPosition[] => {
    const wanted = find.toLowerCase();
    if (wanted === '') return [];
    return order.rows.flatMap((index, row) => {
      const cells = rows[index] ?? [];
      return order.columns.flatMap((at, column) => {
        const [cell, shownColumn] = [cells[at] ?? null, columns[at]];
        if (!shownColumn) return [];
        const shown = gridCellText(cells, at, columns, '', display);
        const texts = [shown, cellText(cell, shownColumn, display), cell ?? ''];
        return texts.some((text) => text.toLowerCase().includes(wanted)) ? [{ row, column }] : [];
      });
    });
  },
);

/** In the order of the grid; empty while the search is closed. */
export function matchesOf(grid: Grid): readonly CellPosition[] {
  const { state, columns, page, display } = grid;
  return findMatches(state.find ?? '', columns, page.rows, gridPositions(grid).order, display);
}

/** The ids of the cells that match. */
export const matchIds = rememberLast(
  (matches: readonly CellPosition[]): ReadonlySet<string> => new Set(matches.map(cellId)),
);

/** The next or previous match, around the ends of the page; with 0 also the cell itself. */
export function nextMatch(
  grid: Grid,
  from: CellPosition,
  by: 1 | 0 | -1,
): CellPosition | undefined {
  const matches = matchesOf(grid);
  const width = gridPositions(grid).order.columns.length;
  const distance = ({ row, column }: CellPosition): number =>
    (row - from.row) * width + column - from.column;
  if (by < 0) return matches.findLast((match) => distance(match) < 0) ?? matches.at(-1);
  return matches.find((match) => distance(match) >= by) ?? matches[0];
}
