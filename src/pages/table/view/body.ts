import { html, nothing, type TemplateResult } from 'lit';
import type { OpenState, Shown } from '../state.ts';
import { button } from './button.ts';
import type { Dispatch } from './dispatch.ts';
import { failureView } from './failure.ts';
import { gridView } from './grid.ts';

/** Rows, or one sentence where they would be. */
export function bodyView(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { body, description, words, display } = state;
  const rows = (shown: Shown, isBusy: boolean): TemplateResult =>
    gridView({ description, shown, display, hiddenWord: words.hidden, isBusy }, dispatch);
  switch (body.kind) {
    case 'noAccount':
      return message(words.noAccount, words.noAccountCure);
    case 'loading':
      return body.kept && body.kept.page.rows.length > 0
        ? rows(body.kept, true)
        : html`<p class="message" role="status">${words.loading}</p>`;
    case 'rows':
      return rows(body.shown, false);
    case 'emptyAccount':
      return message(words.nothingYet, words.nothingYetCure);
    case 'noMatch':
      return message(words.noMatch, words.noMatchCure, {
        label: words.resetFilters,
        run: () => dispatch({ kind: 'reset' }),
      });
    case 'pastEnd':
      return message(words.pastEnd(body.shown.query.page + 1), words.pastEndCure, {
        label: words.firstPage,
        run: () => dispatch({ kind: 'wentTo', page: 0 }),
      });
    case 'failed':
      return failureView(body.failure, words, now, dispatch, 2);
    default:
      return body satisfies never;
  }
}

function message(
  title: string,
  cure?: string,
  way?: { label: string; run: () => void },
): TemplateResult {
  return html`
    <div class="message">
      <h2>${title}</h2>
      ${cure ? html`<p>${cure}</p>` : nothing} ${way ? button(way.label, way.run) : nothing}
    </div>
  `;
}
