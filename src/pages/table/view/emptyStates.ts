import { html, nothing, type TemplateResult } from 'lit';
import type { Dispatch, OpenState, PageState, TableBody } from '../state/pageState.ts';
import type { PageTexts } from '../state/pageTexts.ts';
import { button } from './controls.ts';
import { failureMessage } from './failureViews.ts';

/** A page without the description of its table: it loads, or it failed. */
export function unopenedView(
  state: Exclude<PageState, OpenState>,
  now: number,
  dispatch: Dispatch,
): TemplateResult {
  const { texts } = state;
  return state.kind === 'opening'
    ? loadingMessage(texts.opening)
    : failureMessage(state.failure, texts, now, dispatch, 1);
}

/** What a table without rows shows in their place. */
export function emptyState(
  body: Exclude<TableBody, { kind: 'rows' }>,
  texts: PageTexts,
  now: number,
  dispatch: Dispatch,
): TemplateResult {
  switch (body.kind) {
    case 'noAccount':
      return message(texts.noAccount, texts.noAccountHint);
    case 'loading':
      return loadingMessage(texts.loading);
    case 'emptyAccount':
      return message(texts.nothingYet, texts.nothingYetHint);
    case 'noMatch':
      return message(texts.noMatch, texts.noMatchHint, {
        label: texts.clearFilters,
        run: () => dispatch({ kind: 'filtersReset' }),
      });
    case 'pastEnd':
      return message(texts.pastEnd(body.shown.query.page + 1), texts.pastEndHint, {
        label: texts.firstPage,
        run: () => dispatch({ kind: 'pageChosen', page: 0 }),
      });
    case 'emptyPart': {
      const { older, newer } = body.part;
      const to = older ?? newer;
      const label = older === null ? texts.newer : texts.older;
      const action = { label, run: () => to !== null && dispatch({ kind: 'partChosen', to }) };
      return message(texts.emptyPart, texts.emptyPartHint, to === null ? undefined : action);
    }
    case 'failed':
      return failureMessage(body.failure, texts, now, dispatch, 2);
  }
}

function loadingMessage(text: string): TemplateResult {
  return html`<p class="message" role="status">${text}</p>`;
}

function message(
  title: string,
  hint: string,
  action?: { label: string; run: () => unknown },
): TemplateResult {
  return html`
    <div class="message">
      <h2>${title}</h2>
      <p>${hint}</p>
      ${action ? button(action.label, action.run) : nothing}
    </div>
  `;
}
