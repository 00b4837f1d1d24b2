import type { GridView } from '../../protocol/gridMessages.ts';
import type { Grid, GridPositions } from './model.ts';
import { headHeight, rowHeight, rowWindow, type RowWindow } from './rows.ts';
import type { CellPosition } from './selection.ts';

/** How far the grid is scrolled, in CSS pixels. */
type Offset = { readonly top: number; readonly left: number };

/**
 * Keeps the active cell visible, and rows where an earlier page of the panel left them. It decides before
 * rows are drawn, so that they are drawn where they will be seen, and scrolls after it.
 */
export class GridScroll {
  private readonly grid: HTMLElement;
  private lastPlace = '';
  /** As last read: to ask the element between two changes of the page would lay it out twice. */
  size = { width: 0, height: 0 };
  private current: Offset = { top: 0, left: 0 };
  private wanted = this.current;

  constructor(grid: HTMLElement) {
    this.grid = grid;
  }

  /** Reads where the element is scrolled and how large it is. */
  read(): void {
    const { clientWidth, clientHeight, scrollTop, scrollLeft } = this.grid;
    this.size = { width: clientWidth, height: clientHeight };
    this.current = { top: scrollTop, left: scrollLeft };
    this.wanted = this.current;
  }

  /** The rows to draw. */
  window(): RowWindow {
    return rowWindow(this.wanted.top, this.size.height);
  }

  /** To where an earlier page left these rows, or else to the start of other rows. */
  showPage(pageId: number, { active }: GridPositions, kept: GridView['scroll']): void {
    if (kept?.pageId !== pageId) {
      this.wanted = { ...this.wanted, top: 0 };
      return;
    }
    this.wanted = { top: kept.top, left: kept.left };
    this.lastPlace = placeOf(pageId, active);
  }

  /** Once another cell is active, or another record, as after sorting. */
  followActive(
    pageId: number,
    { active }: GridPositions,
    widths: readonly number[],
    pinned: number,
  ): void {
    const place = placeOf(pageId, active);
    const isStart = this.lastPlace === '' && active.row === 0;
    const hasMoved = this.lastPlace !== place && !isStart;
    this.lastPlace = place;
    if (hasMoved) this.wanted = this.scrolledTo(active, widths, pinned);
  }

  /** After the element became larger or smaller: an active cell that was in sight stays so. */
  resize({ active }: GridPositions, widths: readonly number[], pinned: number): void {
    const { top, left } = this.scrolledTo(active, widths, pinned);
    const wasInSight = top === this.wanted.top && left === this.wanted.left;
    this.read();
    if (wasInSight) this.wanted = this.scrolledTo(active, widths, pinned);
  }

  /** Scrolls, once the rows are drawn. */
  apply(): void {
    const { current, wanted } = this;
    if (wanted.top !== current.top || wanted.left !== current.left) this.grid.scrollTo(wanted);
    this.current = wanted;
  }

  /** Just as far as needed. The header and the pinned columns stay in place above the other cells. */
  private scrolledTo(
    { row, column }: CellPosition,
    widths: readonly number[],
    pinned: number,
  ): Offset {
    const { size, wanted } = this;
    const height = size.height - headHeight;
    const top = row < 0 ? wanted.top : nearest(wanted.top, height, row * rowHeight, rowHeight);
    if (column < pinned) return { ...wanted, top };
    const start = totalOf(widths.slice(pinned, column));
    const width = Math.max(0, size.width - totalOf(widths.slice(0, pinned)));
    return { top, left: nearest(wanted.left, width, start, widths[column] ?? 0) };
  }
}

/**
 * How many columns stay in place while others scroll: the first, and the symbol or asset after a time, if there
 * is room for others beside them.
 */
export function pinnedColumns(
  { columns }: Pick<Grid, 'columns'>,
  { order }: GridPositions,
  widths: readonly number[],
  available: number,
): number {
  const [first, second] = order.columns.map((index) => columns[index]);
  const isNamed = second?.field === 'symbol' || second?.field === 'asset';
  const hasRoom = totalOf(widths.slice(0, 2)) <= 0.6 * available;
  return first?.kind === 'time' && isNamed && hasRoom ? 2 : 1;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function placeOf(pageId: number, { row, column }: CellPosition): string {
  return `${pageId} ${row} ${column}`;
}

/** The scroll position at which something is visible, beginning with its start. */
function nearest(scroll: number, visible: number, start: number, size: number): number {
  if (start < scroll || size > visible) return start;
  return Math.max(scroll, start + size - visible);
}
