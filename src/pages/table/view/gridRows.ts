import { html, nothing, type TemplateResult } from 'lit';
import type { Cell, Column } from '../../../protocol/table.ts';
import { cellText, isNumeric } from '../cells.ts';
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

/** The rows; `firstRow` rows of the query stand before them on other pages. */
export function rowsView(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  firstRow: number,
): TemplateResult {
  return html`<tbody>
    ${rows.map(
      (cells, row) =>
        html`<tr role="row" aria-rowindex=${firstRow + row + 2}>
          ${columns.map((column, index) =>
            cellView(cells[index] ?? null, column, { row, column: index }),
          )}
        </tr>`,
    )}
  </tbody>`;
}

/** As few bindings as can be: a page has thousands of cells. */
function cellView(cell: Cell, { kind }: Column, position: Position): TemplateResult {
  const text = cellText(cell, kind);
  const look = `${isNumeric(kind) ? 'numeric' : ''} ${cell === null ? 'unknown' : ''}`;
  const isLong = text.length > longText && !isNumeric(kind);
  // prettier-ignore
  return html`<td id=${cellId(position)} role="gridcell" aria-colindex=${position.column + 1} class=${look}>${
    isLong ? html`<span title=${text}>${text}</span>` : text
  }</td>`;
}
