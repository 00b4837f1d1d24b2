import type { CellPosition } from '../selection/selection.ts';
import { rowHeight } from './gridRows.ts';

/** Scrolls just as far as needed. The header and the first column stay in place above the other cells. */
export function scrollToCell(
  grid: HTMLElement,
  { row, column }: CellPosition,
  widths: readonly number[],
): void {
  if (row >= 0) {
    const head = grid.querySelector<HTMLElement>('.head')?.offsetHeight ?? rowHeight;
    grid.scrollTop = nearest(grid.scrollTop, grid.clientHeight - head, row * rowHeight, rowHeight);
  }
  const [frozen = 0] = widths;
  if (column === 0) return;
  const start = widths.slice(1, column).reduce((sum, width) => sum + width, 0);
  const visible = Math.max(0, grid.clientWidth - frozen);
  grid.scrollLeft = nearest(grid.scrollLeft, visible, start, widths[column] ?? 0);
}

/** The scroll position at which something is visible, beginning with its start. */
function nearest(scroll: number, visible: number, start: number, size: number): number {
  if (start < scroll || size > visible) return start;
  return Math.max(scroll, start + size - visible);
}
