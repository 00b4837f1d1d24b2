import { html, nothing, type TemplateResult } from 'lit';
import type { Cell, DocumentTable } from '../../protocol/document.ts';
import { icon } from '../controls/controls.ts';
import { actionButtons, notesView, shownText, type FigureParts, type Press } from './parts.ts';

type TableParts = FigureParts & { readonly press: Press };

/** The rows of a table with its notes, in a region of their own that scrolls sideways. */
export function documentTableView(
  { title, notes, columns, rows, isStacked = false }: DocumentTable & { isStacked?: boolean },
  parts: TableParts,
): TemplateResult {
  return html`${notesView(notes, parts)}
  ${
    rows.length === 0
      ? nothing
      : html`<div
          class="scroll ${isStacked ? 'stacked' : ''}"
          tabindex="0"
          role="region"
          aria-label=${title}
        >
          <table role="table">
            <thead role="rowgroup">
              <tr role="row">
                ${columns.map(
                  ({ label, isNumeric }) =>
                    html`<th
                      scope="col"
                      role="columnheader"
                      class=${isNumeric ? 'numeric' : nothing}
                    >
                      ${label}
                    </th>`,
                )}
              </tr>
            </thead>
            <tbody role="rowgroup">
              ${rows.map(
                (cells) =>
                  html`<tr role="row">
                    ${cells.map((cell, index) =>
                      isStacked && index === 0
                        ? html`<th scope="row" role="rowheader">${contentView(cell, parts)}</th>`
                        : cellView(cell, columns[index]?.isNumeric ?? false, parts),
                    )}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`
  }`;
}

function cellView(cell: Cell, isNumeric: boolean, parts: TableParts): TemplateResult {
  const { detail, tone, state } = cell;
  return html`<td
    role="cell"
    class=${isNumeric ? 'numeric' : nothing}
    data-tone=${tone ?? nothing}
    data-state=${state ?? nothing}
    title=${detail ?? nothing}
  >
    ${contentView(cell, parts)}
  </td>`;
}

function contentView(
  { text, state, notes = [], more, button }: Cell,
  parts: TableParts,
): TemplateResult {
  return html`${state ? icon(state) : nothing} ${shownText(text, parts)} ${notesView(notes, parts)}
  ${more ? moreView(more) : nothing} ${button ? actionButtons([button], parts.press) : nothing}`;
}

function moreView({ summary, items }: NonNullable<Cell['more']>): TemplateResult {
  return html`<details>
    <summary>${summary}</summary>
    <ol>
      ${items.map(
        ([first = '', ...others]) =>
          html`<li>
            <code>${first}</code>
            ${others.map((other) => html`<p>${other}</p>`)}
          </li>`,
      )}
    </ol>
  </details>`;
}
