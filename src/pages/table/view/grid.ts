import { html, type TemplateResult } from 'lit';
import type { Display } from '../../../base/display.ts';
import type { TableDescription } from '../../../protocol/table.ts';
import { rowsBefore, rowTotal } from '../pager.ts';
import type { Shown } from '../state.ts';
import type { Dispatch } from './dispatch.ts';
import './gridElement.ts';

type GridParts = {
  readonly description: TableDescription;
  readonly shown: Shown;
  readonly display: Display;
  readonly isBusy: boolean;
};

/** The rows of a page as a grid that a keyboard walks. */
export function gridView(
  { description, shown, display, isBusy }: GridParts,
  dispatch: Dispatch,
): TemplateResult {
  const { title, columns } = description;
  const { query, page } = shown;
  return html`<margin-grid
    .label=${title}
    .columns=${columns}
    .display=${display}
    .pageNumber=${page.number}
    .rows=${page.rows}
    .marks=${page.marks}
    .firstRow=${rowsBefore(query, page) ?? 0}
    .rowTotal=${rowTotal(query, page)}
    .busy=${isBusy}
    .copyMasked=${(row: number, column: number) =>
      dispatch({ kind: 'copiedMasked', cell: { page: page.number, row, column } })}
    .copied=${() => dispatch({ kind: 'copied' })}
    .follow=${(link: string) => dispatch({ kind: 'followedLink', link })}
  ></margin-grid>`;
}
