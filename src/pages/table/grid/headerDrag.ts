import { positionOf } from './gridPointer.ts';

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
export function dragHeader(
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
