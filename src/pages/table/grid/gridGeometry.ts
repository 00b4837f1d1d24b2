import type { GridView } from '../../../protocol/gridMessages.ts';
import type { CellPosition } from '../selection/selection.ts';
import type { Measure } from './columnFits.ts';
import type { GridPositions } from './gridPositions.ts';
import { rowHeight } from './gridRows.ts';

/** Keeps the active cell visible, and rows where an earlier page of the panel left them. */
export class GridScroll {
  private readonly grid: HTMLElement;
  private lastPlace = '';

  constructor(grid: HTMLElement) {
    this.grid = grid;
  }

  /** To where an earlier page left these rows, or else to the start of other rows. */
  showPage(positions: GridPositions, kept: GridView['scroll']): void {
    if (kept?.pageId !== positions.page.id) {
      this.grid.scrollTop = 0;
      return;
    }
    this.grid.scrollTo(kept);
    this.lastPlace = placeOf(positions);
  }

  /** Once another cell is active, or another record, as after sorting. */
  followActive(positions: GridPositions, widths: readonly number[]): void {
    const place = placeOf(positions);
    const isStart = this.lastPlace === '' && positions.active.row === 0;
    const hasMoved = this.lastPlace !== place && !isStart;
    this.lastPlace = place;
    if (hasMoved) this.scrollToCell(positions.active, widths);
  }

  /** Scrolls just as far as needed. The header and the first column stay in place above the other cells. */
  private scrollToCell({ row, column }: CellPosition, widths: readonly number[]): void {
    const { grid } = this;
    if (row >= 0) {
      const head = grid.querySelector<HTMLElement>('.head')?.offsetHeight ?? rowHeight;
      const visible = grid.clientHeight - head;
      grid.scrollTop = nearest(grid.scrollTop, visible, row * rowHeight, rowHeight);
    }
    const [frozen = 0] = widths;
    if (column === 0) return;
    const start = widths.slice(1, column).reduce((sum, width) => sum + width, 0);
    const visible = Math.max(0, grid.clientWidth - frozen);
    grid.scrollLeft = nearest(grid.scrollLeft, visible, start, widths[column] ?? 0);
  }
}

function placeOf({ page, active }: GridPositions): string {
  return `${page.id} ${active.row} ${active.column}`;
}

/** The scroll position at which something is visible, beginning with its start. */
function nearest(scroll: number, visible: number, start: number, size: number): number {
  if (start < scroll || size > visible) return start;
  return Math.max(scroll, start + size - visible);
}

/** Measures in the font of an element, as it is when the first text is measured. */
export function measureIn(element: Element): Measure {
  const fonts = { plain: '', bold: '' };
  const context = document.createElement('canvas').getContext('2d');
  return (text, isBold) => {
    if (!context) return text.length * 8;
    if (fonts.plain === '') {
      const { fontSize, fontFamily } = getComputedStyle(element);
      fonts.plain = `${fontSize} ${fontFamily}`;
      fonts.bold = `600 ${fonts.plain}`;
    }
    context.font = isBold ? fonts.bold : fonts.plain;
    return context.measureText(text).width;
  };
}
