import { type CellPosition, isInSpans, selectedSpans } from './selection.ts';
import type { InputTarget } from './input.ts';
import { clampPosition } from './keys.ts';
import {
  cellOf,
  isOnGrip,
  isOnLink,
  isOnRowEdge,
  moveMode,
  placeBelow,
  positionOf,
} from './pointer.ts';
import type { GridPositions } from './positions.ts';
import { rowHeight } from './rows.ts';

/** Selects cells and rows, sorts, moves and resizes columns by mouse. */
export class GridMouse {
  private readonly target: InputTarget;
  private isDragging = false;
  private isGripPressed = false;

  constructor(target: InputTarget) {
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
      this.target.element.querySelector<HTMLElement>('[role="grid"]')?.focus();
    }
    if (position.row < 0) this.pressHeader(event, cell, position);
    else if (event.button === 0) this.pressCell(event, cell, position);
    else {
      // The commands of the menu are for the cell below the pointer, or for the selection that it is in.
      const mode = this.isSelected(position) ? 'keep' : 'move';
      this.target.dispatch({ kind: 'moved', to: position, mode });
    }
  };

  readonly onPointermove = (event: PointerEvent): void => {
    const positions = this.isDragging ? this.target.positions() : null;
    if (!positions) return;
    const to = this.placeOf(event, positions);
    const { active } = positions;
    if (to.row === active.row && to.column === active.column) return;
    // Not before the first move: a double click must reach its cell.
    this.target.element.setPointerCapture(event.pointerId);
    this.target.dispatch({ kind: 'moved', to, mode: 'extend' });
  };

  readonly onPointerup = (): void => {
    this.isDragging = false;
  };

  private pressCell(event: PointerEvent, cell: HTMLElement, to: CellPosition): void {
    const isRows = isOnRowEdge(event, cell);
    this.target.dispatch({ kind: 'moved', to, mode: moveMode(event), isRows });
    if (isOnLink(event)) return;
    this.isDragging = true;
  }

  private pressHeader(event: PointerEvent, cell: HTMLElement, position: CellPosition): void {
    const { dispatch, previewWidth, widths, fieldAt } = this.target;
    const { column } = position;
    const field = fieldAt(column);
    const width = widths()[column] ?? 0;
    dispatch({ kind: 'moved', to: position, mode: 'move' });
    if (event.button !== 0) return;
    dragHeader(event, cell, isOnGrip(event), {
      onResize: (by) => previewWidth(column, width + by),
      onResized: (by) => dispatch({ kind: 'columnResized', field, width: width + by }),
      onMoved: (to) => dispatch({ kind: 'columnMoved', field, target: fieldAt(to) }),
      onClick: () => dispatch({ kind: 'sorted', field }),
    });
  }

  /** On a grip, the column fits its cells again. */
  readonly onDblclick = (event: MouseEvent): void => {
    const position = positionOf(cellOf(event));
    if (!position) return;
    if (position.row >= 0) this.target.dispatch({ kind: 'detailsOpened' });
    else if (this.isGripPressed) {
      const field = this.target.fieldAt(position.column);
      this.target.dispatch({ kind: 'columnResized', field, width: null });
    }
  };

  private isSelected({ row, column }: CellPosition): boolean {
    const { selection = [] } = this.target.positions() ?? {};
    return isInSpans(selectedSpans(selection, row), column);
  }

  private placeOf(event: PointerEvent, { order }: GridPositions): CellPosition {
    const { element, widths } = this.target;
    const rows = element.querySelector('.rows');
    if (!rows) return { row: 0, column: 0 };
    const frozen = element.getBoundingClientRect().left;
    const place = placeBelow(event, rows, widths(), rowHeight, frozen);
    const extent = { rows: order.rows.length, columns: order.columns.length, pageRows: 1 };
    return clampPosition({ ...place, row: Math.max(0, place.row) }, extent);
  }
}

type HeaderDragOptions = {
  /** The pixels by which the column grew, while its grip is dragged. */
  readonly onResize: (by: number) => void;
  readonly onResized: (by: number) => void;
  /** Onto the column at this place. */
  readonly onMoved: (column: number) => void;
  /** Without a drag. */
  readonly onClick: () => void;
};

/** How far the pointer moves before a click becomes a drag, in CSS pixels. */
const dragDistance = 5;

/** Follows the pointer from a press on a column header until it is released or cancelled. */
function dragHeader(
  start: PointerEvent,
  header: HTMLElement,
  isGrip: boolean,
  { onResize, onResized, onMoved, onClick }: HeaderDragOptions,
): void {
  const distance = ({ clientX }: PointerEvent): number => clientX - start.clientX;
  const isDrag = (event: PointerEvent): boolean => Math.abs(distance(event)) > dragDistance;
  const target = (event: PointerEvent): HTMLElement | undefined =>
    document
      .elementsFromPoint(event.clientX, start.clientY)
      .find((element): element is HTMLElement => element.matches('[role="columnheader"]'));
  const mark = (element: HTMLElement | undefined): void => {
    for (const marked of document.querySelectorAll('.dropTarget'))
      marked.classList.remove('dropTarget');
    if (element && element !== header) element.classList.add('dropTarget');
  };
  const move = (event: PointerEvent): void => {
    if (isGrip) onResize(distance(event));
    else mark(isDrag(event) ? target(event) : undefined);
  };
  const stop = (): void => {
    mark(undefined);
    header.removeEventListener('pointermove', move);
    header.removeEventListener('pointerup', finish);
    header.removeEventListener('pointercancel', cancel);
  };
  const cancel = (): void => {
    stop();
    if (isGrip) onResize(0);
  };
  const finish = (event: PointerEvent): void => {
    stop();
    if (isGrip) {
      if (distance(event) !== 0) onResized(distance(event));
    } else if (!isDrag(event)) onClick();
    else {
      const position = positionOf(target(event) ?? null);
      if (position) onMoved(position.column);
    }
  };
  header.setPointerCapture(start.pointerId);
  header.addEventListener('pointermove', move);
  header.addEventListener('pointerup', finish);
  header.addEventListener('pointercancel', cancel);
}
