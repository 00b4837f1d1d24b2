import { html, nothing, type TemplateResult } from 'lit';
import { shownOf, type OpenState, type PageState } from '../state.ts';
import { words } from '../words.ts';
import { badRecordsNote } from './badRecords.ts';
import { bodyView } from './body.ts';
import type { Dispatch } from './dispatch.ts';
import { failureView } from './failure.ts';
import { filterBar } from './filterBar.ts';
import { headerLine } from './header.ts';
import { pagerBar } from './pagerBar.ts';

/** The whole page in one of its states. `now` is in epoch milliseconds. */
export function pageView(state: PageState, now: number, dispatch: Dispatch): TemplateResult {
  switch (state.kind) {
    case 'opening':
      return html`<p class="message" role="status">${words.opening}</p>`;
    case 'unopened':
      return failureView(state.failure, now, dispatch, 1);
    case 'open':
      return openView(state, now, dispatch);
    default:
      return state satisfies never;
  }
}

function openView(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const hasAccount = state.body.kind !== 'noAccount';
  return html`
    ${headerLine(state, dispatch)} ${hasAccount ? filterBar(state, dispatch) : nothing}
    <div class="progress" ?data-busy=${state.body.kind === 'loading'}></div>
    ${badRecordsNote(shownOf(state.body)?.page.badRecords ?? [])}
    <div class="body">${bodyView(state, now, dispatch)}</div>
    ${hasAccount ? pagerBar(state, dispatch) : nothing}
    <p class="spoken" role="status">${state.announcement}</p>
  `;
}
