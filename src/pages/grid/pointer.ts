import type { CellPosition } from './selection.ts';
import type { MoveMode } from './state.ts';

/** How wide the edge of a row is that selects the whole row, in CSS pixels. */
const rowEdge = 14;

type Modifiers = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>;

export function moveMode({ shiftKey, ctrlKey, metaKey }: Modifiers): MoveMode {
  if (shiftKey) return 'extend';
  return ctrlKey || metaKey ? 'add' : 'move';
}

/** The cell of the grid at an event's target; null beside the cells. */
export function cellOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.cell') : null;
}

/** The place of a cell by its id; null for an element that is not a cell. */
export function positionOf(cell: Element | null): CellPosition | null {
  const [, head, row, column] = /^(?:(head)|cell-(\d+))-(\d+)$/.exec(cell?.id ?? '') ?? [];
  if (column === undefined) return null;
  return { row: head ? -1 : Number(row), column: Number(column) };
}

export function isOnLink({ target }: Event): boolean {
  return target instanceof Element && target.closest('button.link') !== null;
}

export function isOnGrip({ target }: Event): boolean {
  return target instanceof Element && target.classList.contains('grip');
}

/** Whether the pointer is at the edge in front of the first cell. */
export function isOnRowEdge(event: MouseEvent, cell: HTMLElement): boolean {
  const isFirst = cell.getAttribute('aria-colindex') === '1';
  return isFirst && event.clientX - cell.getBoundingClientRect().left < rowEdge;
}

/**
 * The place below the pointer, also beyond the edges of the grid, where no cell is: `widths` and
 * `rowHeight` are in CSS pixels, `rows` contains all rows.
 */
export function placeBelow(
  { clientX, clientY }: MouseEvent,
  rows: Element,
  widths: readonly number[],
  rowHeight: number,
  firstIsFrozenAt: number,
): CellPosition {
  const { top, left } = rows.getBoundingClientRect();
  const row = Math.floor((clientY - top) / rowHeight);
  if (clientX < firstIsFrozenAt + (widths[0] ?? 0)) return { row, column: 0 };
  let end = left;
  const column = widths.findIndex((width) => {
    end += width;
    return clientX < end;
  });
  return { row, column: column < 0 ? widths.length - 1 : column };
}
