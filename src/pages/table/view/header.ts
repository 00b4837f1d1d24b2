import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { shownOf, type OpenState } from '../state.ts';
import { button } from './button.ts';
import type { Dispatch } from './dispatch.ts';

/** What is shown, whose it is, and how old. */
export function headerLine(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { words, description } = state;
  const { title, context, canExport } = description;
  const shown = shownOf(state.body);
  const readAt = shown ? String(shown.page.readAt) : null;
  return html`
    <header class="header">
      <h1>${title}</h1>
      ${
        context.profile === null
          ? nothing
          : html`<span class="account">
              <span class="environment" data-environment=${context.environment}
                >${cleanText(context.environment)}</span
              >
              <span class="profile">${cleanText(context.profile)}</span>
            </span>`
      }
      ${
        readAt === null
          ? html`<span class="asOf"></span>`
          : html`<span class="asOf" title=${state.display.timeInBoth(readAt)}
              >${words.asOf(state.display.timeToSecond(readAt))}</span
            >`
      }
      <span class="asOf" role="status"
        >${shown && shown.page.number === state.newerThan ? words.newerRows : nothing}</span
      >
      ${
        context.profile === null
          ? nothing
          : button(words.refresh, () => dispatch({ kind: 'reloaded' }), { isSecondary: true })
      }
      ${
        context.profile === null || !canExport
          ? nothing
          : button(words.exportAll, () => dispatch({ kind: 'exported' }), { isSecondary: true })
      }
    </header>
  `;
}
