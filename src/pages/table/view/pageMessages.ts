import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import type { ShownRows } from '../../../protocol/table.ts';
import type { Dispatch, OpenState, PageState } from '../state/pageState.ts';
import type { PageTexts } from '../state/pageTexts.ts';
import { hasSameFilters } from '../state/pageQuery.ts';
import { button } from '../../controls/controls.ts';
import { emptyText, type EmptyText } from '../state/receivedRows.ts';

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
export function messageView(
  state: OpenState,
  now: number,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  const { texts, body, shown } = state;
  switch (body.kind) {
    case 'noAccount':
      return emptyView({ title: texts.noAccount, hint: texts.noAccountHint }, dispatch);
    case 'loading':
      return loadingMessage(texts.loading);
    case 'rows':
      return shown ? emptyView(emptyText(state, shown), dispatch) : nothing;
    case 'failed':
      return failureMessage(body.failure, texts, now, dispatch, 2);
  }
}

function loadingMessage(text: string): TemplateResult {
  return html`<p class="message" role="status">${text}</p>`;
}

function emptyView({ title, hint, button: choice }: EmptyText, dispatch: Dispatch): TemplateResult {
  return html`
    <div class="message">
      <h2>${title}</h2>
      <p>${hint}</p>
      ${choice ? button(choice.label, () => dispatch(choice.action)) : nothing}
    </div>
  `;
}

/** In place of rows. */
function failureMessage(
  failure: RpcFailure,
  texts: PageTexts,
  now: number,
  dispatch: Dispatch,
  headingLevel: 1 | 2,
): TemplateResult {
  const title = texts.failureTitle(failure.kind);
  return html`
    <div class="message" data-kind=${failure.kind}>
      <div role="alert">
        ${headingLevel === 1 ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
        <p>${cleanText(failure.sentence, 500)}</p>
      </div>
      ${countdownAndRetry(failure, texts, now, dispatch)}
    </div>
  `;
}

/** Above the rows that were read before the failure; its sentence says what failed and why. */
export function failureBanner(
  { texts, display, query }: OpenState,
  failure: RpcFailure,
  earlier: ShownRows,
  now: number,
  dispatch: Dispatch,
): TemplateResult {
  const readAt = display.timeToSecond(String(earlier.page.readAt));
  const rows = hasSameFilters(query, earlier.query)
    ? texts.earlierRows(readAt)
    : texts.earlierFilters(readAt);
  return html`
    <div class="note failure" data-kind=${failure.kind}>
      <p role="alert">
        <strong>${cleanText(failure.sentence, 500)}</strong>
        ${rows}
      </p>
      ${countdownAndRetry(failure, texts, now, dispatch)}
    </div>
  `;
}

/** A countdown if the failure says when to try again. */
function countdownAndRetry(
  { retryAt, signIn = [] }: RpcFailure,
  texts: PageTexts,
  now: number,
  dispatch: Dispatch,
): TemplateResult {
  const seconds = Math.ceil(((retryAt ?? now) - now) / 1000);
  const isWaiting = seconds > 0;
  return html`
    ${isWaiting ? html`<p class="countdown" role="timer">${texts.retryIn(seconds)}</p>` : nothing}
    ${signIn.map(({ action, title }) =>
      button(title, () => dispatch({ kind: 'signInHelpChosen', action })),
    )}
    ${button(texts.retry, () => dispatch({ kind: 'refreshed' }), { isDisabled: isWaiting })}
  `;
}
