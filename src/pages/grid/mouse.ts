import { cellTooltip } from './cells.ts';
import { clampPosition } from './keys.ts';
import {
  cellAt,
  type GridPositions,
  type Grid,
  type GridDispatch,
  type MoveMode,
} from './model.ts';
import { rowHeight } from './rows.ts';
import { type CellPosition, isInSpans, selectedSpans } from './selection.ts';

/** What the mouse needs of the grid's element. */
type MouseTarget = HTMLElement & {
  readonly grid: Grid;
  readonly act: GridDispatch;
  readonly positions: GridPositions;
  /** Of the shown columns, with their widths in CSS pixels. */
  readonly fields: readonly string[];
  readonly widths: readonly number[];
  readonly previewWidth: (column: number, width: number) => void;
};

/** Selects cells and rows, sorts, moves and resizes columns by mouse. */
export class GridMouse {
  private readonly target: MouseTarget;
  private isGripPressed = false;
  private titled: HTMLElement | null = null;

  constructor(target: MouseTarget) {
    this.target = target;
  }

  /** A click then follows the link of the active cell; the focus stays on the grid, not on its button. */
  readonly onPointerdown = (event: PointerEvent): void => {
    const cell = cellOf(event);
    const position = positionOf(cell);
    this.isGripPressed = isOnGrip(event);
    if (!cell || !position) return;
    if (isOnLink(event) || position.row < 0) {
      event.preventDefault();
      this.target.querySelector<HTMLElement>('[role="grid"]')?.focus();
    }
    if (position.row < 0) this.pressHeader(event, cell, position);
    else if (event.button === 0) {
      const isRows = isOnRowEdge(event, cell);
      this.target.act({ kind: 'moved', to: position, mode: moveMode(event), isRows });
      if (!isOnLink(event)) dragFrom(this.target, { onMove: (move) => this.extendTo(move) });
    } else {
      // The commands of the menu are for the cell below the pointer, or for the selection that it is in.
      const spans = selectedSpans(this.target.positions.selection, position.row);
      const mode = isInSpans(spans, position.column) ? 'keep' : 'move';
      this.target.act({ kind: 'moved', to: position, mode });
    }
  };

  /** On a grip, the column fits its cells again. */
  readonly onDblclick = (event: MouseEvent): void => {
    const { act, fields } = this.target;
    const position = positionOf(cellOf(event));
    if (!position) return;
    if (position.row >= 0) act({ kind: 'detailsOpened' });
    else if (this.isGripPressed)
      act({ kind: 'columnResized', field: fields[position.column] ?? '', width: null });
  };

  /** The tooltip of the cell under the pointer: to set those of hundreds of cells at once would be slow. */
  readonly onMouseover = (event: MouseEvent): void => {
    this.forgetTooltip();
    const { grid } = this.target;
    const cell = cellOf(event);
    const position = positionOf(cell);
    if (!cell || !position || position.row < 0) return;
    const { cells, index } = cellAt(grid, position);
    const own = cellTooltip(cells, index, grid.columns, grid.display);
    cell.title = own === '' && cell.scrollWidth > cell.clientWidth ? cell.innerText : own;
    this.titled = cell;
  };

  /** The element may show another cell next. */
  forgetTooltip(): void {
    this.titled?.removeAttribute('title');
    this.titled = null;
  }

  private extendTo(event: PointerEvent): void {
    const to = this.placeBelow(event);
    const { active } = this.target.positions;
    if (to.row === active.row && to.column === active.column) return;
    // Not before the first move: a double click must reach its cell.
    this.target.setPointerCapture(event.pointerId);
    this.target.act({ kind: 'moved', to, mode: 'extend' });
  }

  private pressHeader(event: PointerEvent, header: HTMLElement, position: CellPosition): void {
    this.target.act({ kind: 'moved', to: position, mode: 'move' });
    if (event.button !== 0) return;
    if (isOnGrip(event)) this.resizeColumn(event, header, position.column);
    else this.moveColumn(event, header, position.column);
  }

  /** Without a drag, a press on a grip does nothing. */
  private resizeColumn(start: PointerEvent, header: HTMLElement, column: number): void {
    const { act, fields, widths, previewWidth } = this.target;
    const field = fields[column] ?? '';
    const before = widths[column] ?? 0;
    const widthAt = ({ clientX }: PointerEvent): number => before + clientX - start.clientX;
    header.setPointerCapture(start.pointerId);
    dragFrom(header, {
      onMove: (event) => previewWidth(column, widthAt(event)),
      onEnd: (event) => {
        const width = event ? widthAt(event) : before;
        if (width === before) previewWidth(column, width);
        else act({ kind: 'columnResized', field, width });
      },
    });
  }

  /** To the place of the column where the pointer is released. Without a drag, the press sorts. */
  private moveColumn(start: PointerEvent, header: HTMLElement, column: number): void {
    const { act, fields } = this.target;
    const field = fields[column] ?? '';
    const headerBelow = ({ clientX }: PointerEvent): Element | undefined =>
      headerAt(clientX, start.clientY);
    const mark = (element: Element | undefined): void => {
      for (const marked of document.querySelectorAll('.dropTarget'))
        marked.classList.remove('dropTarget');
      if (element !== header) element?.classList.add('dropTarget');
    };
    const isDrag = ({ clientX }: PointerEvent): boolean =>
      Math.abs(clientX - start.clientX) > dragDistance;
    header.setPointerCapture(start.pointerId);
    dragFrom(header, {
      onMove: (event) => mark(isDrag(event) ? headerBelow(event) : undefined),
      onEnd: (event) => {
        mark(undefined);
        if (!event) return;
        const to = positionOf(headerBelow(event));
        if (!isDrag(event)) act({ kind: 'sorted', field });
        else if (to) act({ kind: 'columnMoved', field, target: fields[to.column] ?? '' });
      },
    });
  }

  /** The place below the pointer, also beyond the edges of the grid, where no cell is. */
  private placeBelow({ clientX, clientY }: PointerEvent): CellPosition {
    const { target } = this;
    const { order } = target.positions;
    const { left, top } = target.getBoundingClientRect();
    const within = Math.max(left, Math.min(clientX, left + target.clientWidth - 1));
    const column = positionOf(headerAt(within, top + 1))?.column ?? Infinity;
    const start = target.querySelector('.rows')?.getBoundingClientRect().top ?? 0;
    const row = Math.max(0, Math.floor((clientY - start) / rowHeight));
    const end = { row: order.rows.length - 1, column: order.columns.length - 1 };
    return clampPosition({ row, column }, end);
  }
}

/** The header at a point of the window, whatever is above it. */
function headerAt(x: number, y: number): Element | undefined {
  return document
    .elementsFromPoint(x, y)
    .find((element) => element.matches('[role="columnheader"]'));
}

/** How wide the edge of a row is that selects the whole row, in CSS pixels. */
const rowEdge = 14;

function moveMode({ shiftKey, ctrlKey, metaKey }: MouseEvent): MoveMode {
  if (shiftKey) return 'extend';
  return ctrlKey || metaKey ? 'add' : 'move';
}

/** The cell of the grid at an event's target; null beside the cells. */
function cellOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.cell') : null;
}

/** The place of a cell by its id; null for an element that is not a cell. */
function positionOf(cell: Element | null | undefined): CellPosition | null {
  const [, head, row, column] = /^(?:(head)|cell-(\d+))-(\d+)$/.exec(cell?.id ?? '') ?? [];
  if (column === undefined) return null;
  return { row: head ? -1 : Number(row), column: Number(column) };
}

export function isOnLink({ target }: Event): boolean {
  return target instanceof Element && target.closest('button.link') !== null;
}

function isOnGrip({ target }: Event): boolean {
  return target instanceof Element && target.classList.contains('grip');
}

/** Whether the pointer is at the edge in front of the first cell. */
function isOnRowEdge(event: MouseEvent, cell: HTMLElement): boolean {
  const isFirst = cell.getAttribute('aria-colindex') === '1';
  return isFirst && event.clientX - cell.getBoundingClientRect().left < rowEdge;
}

/** How far the pointer moves before a click becomes a drag, in CSS pixels. */
const dragDistance = 5;

type Drag = {
  readonly onMove: (event: PointerEvent) => void;
  /** Gets null if the drag was cancelled. */
  readonly onEnd?: (event: PointerEvent | null) => void;
};

/** Follows the pointer over an element until it is released or cancelled. */
function dragFrom(element: HTMLElement, { onMove, onEnd }: Drag): void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const end = (event: PointerEvent | null): void => {
    listeners.abort();
    onEnd?.(event);
  };
  element.addEventListener('pointermove', onMove, { signal });
  element.addEventListener('pointerup', end, { signal });
  element.addEventListener('pointercancel', () => end(null), { signal });
}
