import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { shownOf, type OpenState, type PageState } from '../state.ts';
import { badRecordsNote } from './badRecords.ts';
import { bodyView } from './body.ts';
import type { Dispatch } from './dispatch.ts';
import { failureView } from './failure.ts';
import { factsView } from './facts.ts';
import { filterBar } from './filterBar.ts';
import { headerLine } from './header.ts';
import { pagerBar } from './pagerBar.ts';

/** The whole page in one of its states. `now` is in epoch milliseconds. */
export function pageView(state: PageState, now: number, dispatch: Dispatch): TemplateResult {
  switch (state.kind) {
    case 'opening':
      return html`<p class="message" role="status">${state.words.opening}</p>`;
    case 'unopened':
      return failureView(state.failure, state.words, now, dispatch, 1);
    case 'open':
      return openView(state, now, dispatch);
    default:
      return state satisfies never;
  }
}

function openView(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { body, description, refusal } = state;
  const hasAccount = body.kind !== 'noAccount';
  const hasFilters = hasAccount && description.filters.length > 0;
  const hasPages = hasAccount && description.pageSizes.length > 0;
  const page = shownOf(body)?.page;
  return html`
    ${headerLine(state, dispatch)}
    ${description.note === '' ? nothing : html`<p class="remark">${cleanText(description.note)}</p>`}
    ${hasFilters ? filterBar(state, dispatch) : nothing}
    <div class="progress" ?data-busy=${body.kind === 'loading'}></div>
    ${refusal === '' ? nothing : refusalNote(refusal)} ${(page?.notes ?? []).map(rowsNote)}
    ${badRecordsNote(page?.badRecords ?? [], state.words)}
    ${factsView(page?.facts ?? [], state.display)}
    <div class="body">${bodyView(state, now, dispatch)}</div>
    ${hasPages ? pagerBar(state, dispatch) : nothing}
    <p class="spoken" role="status">${state.announcement}</p>
  `;
}

/** What a reader must know of the rows. */
function rowsNote(sentence: string): TemplateResult {
  return html`<p class="note" role="note">${cleanText(sentence, 500)}</p>`;
}

/** Why a link was not opened, a cell not copied or an export not begun. */
function refusalNote(sentence: string): TemplateResult {
  return html`<p class="note" role="alert">${cleanText(sentence, 500)}</p>`;
}
