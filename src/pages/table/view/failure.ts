import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import type { Words } from '../words.ts';
import { button } from './button.ts';
import type { Dispatch } from './dispatch.ts';

/** What failed and what to do; where the failure names a time, a countdown to the next try. */
export function failureView(
  failure: RpcFailure,
  words: Words,
  now: number,
  dispatch: Dispatch,
  level: 1 | 2,
): TemplateResult {
  const heading = words.failure(failure.kind);
  const seconds = Math.ceil(((failure.retryAt ?? now) - now) / 1000);
  const isWaiting = seconds > 0;
  return html`
    <div class="message" data-kind=${failure.kind}>
      <div role="alert">
        ${level === 1 ? html`<h1>${heading}</h1>` : html`<h2>${heading}</h2>`}
        <p>${cleanText(failure.sentence, 500)}</p>
      </div>
      ${isWaiting ? html`<p class="countdown" role="timer">${words.retryIn(seconds)}</p>` : nothing}
      ${button(words.retry, () => dispatch({ kind: 'reloaded' }), { isDisabled: isWaiting })}
    </div>
  `;
}
