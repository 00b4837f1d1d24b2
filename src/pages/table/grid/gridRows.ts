import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { Display } from '../../../base/display.ts';
import type { Cell, Column, TablePage } from '../../../protocol/table.ts';
import { cellText, gainOrLoss, isNumeric } from './gridCells.ts';
import type { CellPosition } from './gridKeys.ts';

/** A longer text may be cut off, so it gets a tooltip. */
const maxVisibleLength = 40;

/** The id of a cell's element. */
export function cellId({ row, column }: CellPosition): string {
  return row < 0 ? `head-${column}` : `cell-${row}-${column}`;
}

/** The cell below the pointer, if any. */
export function cellAt({ target }: Event): HTMLTableCellElement | null {
  const cell = target instanceof Element ? target.closest('td, th') : null;
  return cell instanceof HTMLTableCellElement ? cell : null;
}

export function positionOf(cell: HTMLTableCellElement): CellPosition {
  const row = cell.closest('tr')?.rowIndex ?? 0;
  return { row: row - 1, column: cell.cellIndex };
}

export function isOnLink({ target }: Event): boolean {
  return target instanceof Element && target.closest('button.link') !== null;
}

/** How many rows Page Down moves by: all that fit below the header but one. */
export function pageRowsOf(grid: HTMLElement): number {
  const header = grid.querySelector('thead')?.offsetHeight ?? 0;
  const rowHeight = grid.querySelector('tbody tr')?.clientHeight ?? header;
  return Math.max(1, Math.floor((grid.clientHeight - header) / (rowHeight || 1)) - 1);
}

export function headView(columns: readonly Column[]): TemplateResult {
  return html`<thead>
    <tr role="row" aria-rowindex="1">
      ${columns.map(
        ({ label, kind }, column) =>
          html`<th
            id=${cellId({ row: -1, column })}
            role="columnheader"
            scope="col"
            aria-colindex=${column + 1}
            class=${isNumeric(kind) ? 'numeric' : nothing}
          >
            ${label}
          </th>`,
      )}
    </tr>
  </thead>`;
}

/** `firstRow` is the number of rows on earlier pages. A mark is shown in the first cell of its row. */
export function rowsView(
  columns: readonly Column[],
  { rows, marks, startRow }: Pick<TablePage, 'rows' | 'marks' | 'startRow'>,
  firstRow: number,
  look: { readonly display: Display; readonly hiddenWord: string },
): TemplateResult {
  const labels = new Map(marks.map(({ row, label }) => [row, label]));
  return html`<tbody>
    ${rows.map((cells, row) => {
      const mark = labels.get(row);
      return html`<tr
        role="row"
        aria-rowindex=${firstRow + row + 2}
        aria-current=${row === startRow ? 'true' : nothing}
        class=${mark === undefined ? nothing : 'marked'}
      >
        ${columns.map((column, index) =>
          cellView(
            cells[index] ?? null,
            { column, ...look },
            { row, column: index },
            index === 0 ? mark : undefined,
          ),
        )}
      </tr>`;
    })}
  </tbody>`;
}

type CellLook = {
  readonly column: Column;
  readonly display: Display;
  readonly hiddenWord: string;
};

/** Has as few bindings as possible, because a page has thousands of cells. */
function cellView(
  cell: Cell,
  { column, display, hiddenWord }: CellLook,
  position: CellPosition,
  mark: string | undefined,
): TemplateResult {
  const { kind, field } = column;
  const classes = `${isNumeric(kind) ? 'numeric' : ''} ${cell === null ? 'unknown' : gainOrLoss(cell, column)}`;
  const content = cellContent(cell, column, display);
  // prettier-ignore
  if (cell !== null && display.hides(field))
    return html`<td id=${cellId(position)} role="gridcell" aria-colindex=${position.column + 1} aria-label=${hiddenWord} class=${classes}>${content}</td>`;
  // prettier-ignore
  return html`<td id=${cellId(position)} role="gridcell" aria-colindex=${position.column + 1} class=${classes}>${
    mark === undefined ? content : html`<span class="mark">${mark}</span> ${content}`
  }</td>`;
}

/** A link is a button: the grid handles its click and Enter, and the host opens it. */
function cellContent(cell: Cell, column: Column, display: Display): TemplateResult | string {
  const { kind } = column;
  const text = cellText(cell, column, display);
  if (kind === 'link' && isLink(cell))
    return html`<button class="link" type="button" tabindex="-1" title=${text}>${text}</button>`;
  const isLong = text.length > maxVisibleLength && !isNumeric(kind);
  return isLong ? html`<span title=${text}>${text}</span>` : text;
}

export function isLink(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && cell !== '';
}

/** Sets the tooltip of a time on hover: doing so for thousands of cells at once would be too slow. */
export function showBothZones(
  event: Event,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
): void {
  const element = cellAt(event);
  if (!element) return;
  const { row, column } = positionOf(element);
  const cell = rows[row]?.[column];
  if (columns[column]?.kind === 'time' && typeof cell === 'string')
    element.title = cleanText(display.timeInBothZones(cell));
}
