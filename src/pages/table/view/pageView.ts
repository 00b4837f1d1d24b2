import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { ShownRows } from '../../../protocol/table.ts';
import { detailsPane } from '../details/detailsPane.ts';
import { findBar } from '../grid/findBar.ts';
import '../grid/gridElement.ts';
import {
  shownRows,
  type Dispatch,
  type OpenState,
  type PageState,
  type TableBody,
} from '../state/pageState.ts';
import { pageFooter } from './pageFooter.ts';
import { emptyState, unopenedView, failureBanner } from './pageMessages.ts';
import { pageToolbar } from './pageToolbar.ts';
import { tableNotes } from './tableNotes.ts';

/** The whole page. `now` is in epoch milliseconds. */
export function pageView(state: PageState, now: number, dispatch: Dispatch): TemplateResult {
  if (state.kind !== 'open') return unopenedView(state, now, dispatch);
  const { body, description } = state;
  const { note } = description;
  const hasAccount = body.kind !== 'noAccount';
  return html`
    ${pageToolbar(state, now, dispatch)}
    ${note === '' ? nothing : html`<p class="remark">${cleanText(note)}</p>`}
    <div class="progress" ?data-busy=${body.kind === 'loading'}></div>
    ${tableNotes(state, shownRows(body)?.page)}
    ${
      body.kind === 'failed' && hasPreviousRows(body)
        ? failureBanner(state, body.failure, body.previous, now, dispatch)
        : nothing
    }
    <div class="body" ?data-dimmed=${body.kind === 'failed'}>${bodyView(state, now, dispatch)}</div>
    ${hasAccount ? pageFooter(state, now, dispatch) : nothing}
    <p class="spoken" role="status">${state.announcement}</p>
  `;
}

/**
 * The rows, with the search above them and the details of the active row beside them, or a message in
 * their place. While other rows load, and after a failure, the previous ones stay.
 */
function bodyView(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { body, texts } = state;
  if (body.kind !== 'rows' && !hasPreviousRows(body)) return emptyState(body, texts, now, dispatch);
  const shown = body.kind === 'rows' ? body.shown : body.previous;
  const { find, areDetailsOpen } = state.grid;
  return html`
    ${find === null ? nothing : findBar(state, find, dispatch)}
    <div class="gridArea">
      <margin-grid .state=${state} .shown=${shown} .dispatch=${dispatch}></margin-grid>
      ${areDetailsOpen ? detailsPane(state, dispatch) : nothing}
    </div>
  `;
}

function hasPreviousRows(body: TableBody): body is TableBody & { readonly previous: ShownRows } {
  return 'previous' in body && body.previous !== null && body.previous.page.rows.length > 0;
}
