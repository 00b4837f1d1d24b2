import { html, type TemplateResult } from 'lit';
import type { TableDescription } from '../../../protocol/table.ts';
import { rowTotal } from '../pager.ts';
import type { Shown } from '../state.ts';
import './gridElement.ts';

/** The rows of a page as a grid that a keyboard walks. */
export function gridView(
  { title, columns }: TableDescription,
  { query, page }: Shown,
  isBusy: boolean,
  copied: () => void,
): TemplateResult {
  return html`<margin-grid
    .label=${title}
    .columns=${columns}
    .rows=${page.rows}
    .firstRow=${query.page * query.size}
    .rowTotal=${rowTotal(query, page)}
    .busy=${isBusy}
    .copied=${copied}
  ></margin-grid>`;
}
