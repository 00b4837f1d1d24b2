import { html, nothing, type TemplateResult } from 'lit';
import { isNumeric } from '../../../protocol/cellRules.ts';
import type { Column } from '../../../protocol/table.ts';
import type { PageTexts } from '../state/pageTexts.ts';
import { headerText, type ColumnFit } from './columnFits.ts';
import type { GridOrder, Sort } from './gridOrder.ts';
import { cellId } from './gridRows.ts';

/** The header row. A sorted column says that only the rows of this page are sorted. */
export function headView(
  columns: readonly Column[],
  order: GridOrder,
  fits: readonly ColumnFit[],
  sort: Sort | null,
  texts: PageTexts,
): TemplateResult {
  return html`<div role="rowgroup" class="head">
    <div role="row" class="row" aria-rowindex="1">
      ${order.columns.map((index, column) => {
        const shown = columns[index];
        const direction = sort && sort.field === shown?.field ? sort : null;
        return shown
          ? headerCell(shown, column, fits[index]?.zone ?? '', direction, texts)
          : nothing;
      })}
    </div>
  </div>`;
}

function headerCell(
  column: Column,
  place: number,
  zone: string,
  sort: Sort | null,
  texts: PageTexts,
): TemplateResult {
  const direction = sort?.isDescending ? 'descending' : 'ascending';
  return html`<div
    role="columnheader"
    id=${cellId({ row: -1, column: place })}
    aria-colindex=${place + 1}
    aria-sort=${sort ? direction : nothing}
    class="cell ${isNumeric(column.kind) ? 'numeric' : ''}"
    title=${headerText(column, zone)}
  >
    <span class="label">${headerText(column, zone)}</span>${
      sort
        ? html` <span class="sorted">${sort.isDescending ? '↓' : '↑'} ${texts.thisPage}</span>`
        : nothing
    }<span class="grip"></span>
  </div>`;
}
