import { html, nothing, type TemplateResult } from 'lit';
import { mask } from '../../base/display.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';

/** The rows of a table, in a region of their own that scrolls sideways; nothing without rows. */
export function documentTableView(
  { title, columns, rows }: Pick<DocumentTable, 'title' | 'columns' | 'rows'>,
  hiddenWord: string,
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  const cell = (label: Label, index: number): TemplateResult =>
    html`<td
      class=${columns[index]?.isNumeric ? 'numeric' : nothing}
      data-tone=${label.tone ?? nothing}
      title=${label.detail ?? nothing}
    >
      ${shownText(label.text, hiddenWord)}
    </td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
    <table>
      <thead>
        <tr>
          ${columns.map(
            ({ label, isNumeric }) =>
              html`<th scope="col" class=${isNumeric ? 'numeric' : nothing}>${label}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map(cell)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A text in which masked figures are read aloud as a word. */
export function shownText(text: string, hiddenWord: string): unknown {
  if (!text.includes(mask)) return text;
  return text
    .split(mask)
    .map(
      (part, index) =>
        html`${index === 0 ? nothing : html`<span aria-hidden="true">${mask}</span><span class="spoken">${hiddenWord}</span>`}${part}`,
    );
}
