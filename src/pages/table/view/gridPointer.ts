import { cleanText } from '../../../base/cleanText.ts';
import type { Display } from '../../../base/display.ts';
import type { Cell, Column } from '../../../protocol/table.ts';
import type { Position } from '../gridKeys.ts';

/** The cell of the grid that a pointer is on; null where it is on none. */
export function cellUnder({ target }: Event): HTMLTableCellElement | null {
  const cell = target instanceof Element ? target.closest('td, th') : null;
  return cell instanceof HTMLTableCellElement ? cell : null;
}

export function positionOf(cell: HTMLTableCellElement): Position {
  const row = cell.closest('tr')?.rowIndex ?? 0;
  return { row: row - 1, column: cell.cellIndex };
}

/** Whether a pointer is on a link. */
export function isOnLink({ target }: Event): boolean {
  return target instanceof Element && target.closest('button.link') !== null;
}

/** A time tells both zones when a pointer comes to it; in thousands of cells at once that would take too long. */
export function tellBothZones(
  event: Event,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
): void {
  const element = cellUnder(event);
  if (!element) return;
  const { row, column } = positionOf(element);
  const cell = rows[row]?.[column];
  if (columns[column]?.kind === 'time' && typeof cell === 'string')
    element.title = cleanText(display.timeInBoth(cell));
}
