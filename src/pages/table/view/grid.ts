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
  readonly hiddenWord: string;
  readonly isBusy: boolean;
};

/** The rows of a page as a grid that a keyboard walks. Nothing that it gets is new while its rows are not: each draw would walk the grid. */
export function gridView(
  { description, shown, display, hiddenWord, isBusy }: GridParts,
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
    .startRow=${page.startRow}
    .firstRow=${rowsBefore(query, page) ?? 0}
    .rowTotal=${rowTotal(query, page)}
    .busy=${isBusy}
    .hiddenWord=${hiddenWord}
    .dispatch=${dispatch}
  ></margin-grid>`;
}
