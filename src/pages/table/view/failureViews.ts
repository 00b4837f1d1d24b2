import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import type { ShownRows } from '../../../protocol/table.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import type { PageTexts } from '../state/pageTexts.ts';
import { hasSameFilters } from '../state/savedQuery.ts';
import { button } from './controls.ts';

/** In place of rows. */
export function failureMessage(
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

/** Above the rows that were read before the failure. */
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
        <strong>${texts.failureTitle(failure.kind)}.</strong> ${cleanText(failure.sentence, 500)}
        ${rows}
      </p>
      ${countdownAndRetry(failure, texts, now, dispatch)}
    </div>
  `;
}

/** A countdown if the failure says when to try again. */
function countdownAndRetry(
  { retryAt }: RpcFailure,
  texts: PageTexts,
  now: number,
  dispatch: Dispatch,
): TemplateResult {
  const seconds = Math.ceil(((retryAt ?? now) - now) / 1000);
  const isWaiting = seconds > 0;
  return html`
    ${isWaiting ? html`<p class="countdown" role="timer">${texts.retryIn(seconds)}</p>` : nothing}
    ${button(texts.retry, () => dispatch({ kind: 'refreshed' }), { isDisabled: isWaiting })}
  `;
}
