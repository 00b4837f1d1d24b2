import { html, type TemplateResult } from 'lit';
import type { TableDescription } from '../../../protocol/table.ts';
import { rowsBefore, rowTotal } from '../pager.ts';
import type { Shown } from '../state.ts';
import type { Dispatch } from './dispatch.ts';
import './gridElement.ts';

/** The rows of a page as a grid that a keyboard walks. */
export function gridView(
  { title, columns }: TableDescription,
  { query, page }: Shown,
  isBusy: boolean,
  dispatch: Dispatch,
): TemplateResult {
  return html`<margin-grid
    .label=${title}
    .columns=${columns}
    .rows=${page.rows}
    .marks=${page.marks}
    .firstRow=${rowsBefore(query, page)}
    .rowTotal=${rowTotal(query, page)}
    .busy=${isBusy}
    .copied=${() => dispatch({ kind: 'copied' })}
    .follow=${(link: string) => dispatch({ kind: 'followedLink', link })}
  ></margin-grid>`;
}
