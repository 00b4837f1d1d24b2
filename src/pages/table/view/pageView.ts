import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { filterBar } from '../filters/filterBar.ts';
import { gridArea } from '../grid/gridArea.ts';
import { selectionText } from '../selection/selectionText.ts';
import {
  shownRows,
  type Dispatch,
  type OpenState,
  type PageState,
  type ShownRows,
  type TableBody,
} from '../state/pageState.ts';
import { emptyState, unopenedView } from './emptyStates.ts';
import { pageHeader } from './pageHeader.ts';
import { pagerBar } from './pagerBar.ts';
import { tableNotes } from './tableNotes.ts';

/** The whole page. `now` is in epoch milliseconds. */
export function pageView(state: PageState, now: number, dispatch: Dispatch): TemplateResult {
  if (state.kind !== 'open') return unopenedView(state, now, dispatch);
  const { body, description } = state;
  const { note, filters, pageSizes } = description;
  const hasAccount = body.kind !== 'noAccount';
  return html`
    ${pageHeader(state, dispatch)}
    ${note === '' ? nothing : html`<p class="remark">${cleanText(note)}</p>`}
    ${hasAccount && filters.length > 0 ? filterBar(state, dispatch) : nothing}
    <div class="progress" ?data-busy=${body.kind === 'loading'}></div>
    ${tableNotes(state, shownRows(body)?.page)}
    <div class="body">${bodyView(state, now, dispatch)}</div>
    ${selectionText(state)}
    ${hasAccount && pageSizes.length > 0 ? pagerBar(state, dispatch) : nothing}
    <p class="spoken" role="status">${state.announcement}</p>
  `;
}

/**
 * The rows, or a message in their place. While other rows load, the previous ones stay.
 */
export function bodyView(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { body, texts } = state;
  if (body.kind !== 'rows' && !hasPreviousRows(body)) return emptyState(body, texts, now, dispatch);
  return gridArea(state, body.kind === 'rows' ? body.shown : body.previous, dispatch);
}

function hasPreviousRows(body: TableBody): body is TableBody & { readonly previous: ShownRows } {
  return body.kind === 'loading' && body.previous !== null && body.previous.page.rows.length > 0;
}
