import { html, nothing, type TemplateResult } from 'lit';
import type { Display } from '../../../base/display.ts';
import type { Cell, Column, TablePage } from '../../../protocol/table.ts';
import { cellText, gainOf, isNumeric } from '../cells.ts';
import type { Position } from '../gridKeys.ts';

/** From this many characters a text may be cut short on the screen. */
const longText = 40;

/** The element of a cell; row −1 is the header. */
export function cellId({ row, column }: Position): string {
  return row < 0 ? `head-${column}` : `cell-${row}-${column}`;
}

/** The header row, the first of the grid's rows. */
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

/**
 * The rows; `firstRow` rows of the query stand before them on other pages. A mark stands in the first
 * cell; the row that was asked for is the current one.
 */
export function rowsView(
  columns: readonly Column[],
  { rows, marks, startRow }: Pick<TablePage, 'rows' | 'marks' | 'startRow'>,
  firstRow: number,
  shown: { readonly display: Display; readonly hiddenWord: string },
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
            { column, ...shown },
            { row, column: index },
            index === 0 ? mark : undefined,
          ),
        )}
      </tr>`;
    })}
  </tbody>`;
}

type Look = {
  readonly column: Column;
  readonly display: Display;
  readonly hiddenWord: string;
};

/** As few bindings as can be: a page has thousands of cells. */
function cellView(
  cell: Cell,
  { column, display, hiddenWord }: Look,
  position: Position,
  mark: string | undefined,
): TemplateResult {
  const { kind, field } = column;
  const look = `${isNumeric(kind) ? 'numeric' : ''} ${cell === null ? 'unknown' : gainOf(cell, column)}`;
  const text = content(cell, column, display);
  // prettier-ignore
  if (cell !== null && display.hides(field))
    return html`<td id=${cellId(position)} role="gridcell" aria-colindex=${position.column + 1} aria-label=${hiddenWord} class=${look}>${text}</td>`;
  // prettier-ignore
  return html`<td id=${cellId(position)} role="gridcell" aria-colindex=${position.column + 1} class=${look}>${
    mark === undefined ? text : html`<span class="mark">${mark}</span> ${text}`
  }</td>`;
}

/** A link is a button: the page itself leads nowhere. The grid answers its click, as it does Enter. */
function content(cell: Cell, column: Column, display: Display): TemplateResult | string {
  const { kind } = column;
  const text = cellText(cell, column, display);
  if (kind === 'link' && isLink(cell))
    return html`<button class="link" type="button" tabindex="-1" title=${text}>${text}</button>`;
  const isLong = text.length > longText && !isNumeric(kind);
  return isLong ? html`<span title=${text}>${text}</span>` : text;
}

/** Whether there is anything to follow in a cell of links. */
export function isLink(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && cell !== '';
}
