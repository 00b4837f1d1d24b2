import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { shownRows, type Action, type Dispatch, type OpenState } from '../state/pageState.ts';
import { gridTools } from '../grid/gridTools.ts';
import { button } from './controls.ts';

/** The title, the account, the age of the rows, and the actions for all rows. */
export function pageHeader(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { texts, description } = state;
  const { title, context, canExport } = description;
  const shown = shownRows(state.body);
  const hasAccount = context.profile !== null;
  const actionButton = (label: string, action: Action): TemplateResult =>
    button(label, () => dispatch(action), { isSecondary: true });
  const readAt = shown ? String(shown.page.readAt) : null;
  return html`
    <header class="header">
      <h1>${title}</h1>
      ${context.profile === null ? nothing : accountLabel(context.environment, context.profile)}
      ${
        readAt === null
          ? html`<span class="asOf"></span>`
          : html`<span class="asOf" title=${state.display.timeInBothZones(readAt)}
              >${texts.asOf(state.display.timeToSecond(readAt))}</span
            >`
      }
      <span class="asOf" role="status"
        >${shown && shown.page.id === state.outdatedPageId ? texts.newerRows : nothing}</span
      >
      ${hasAccount ? gridTools(state, dispatch) : nothing}
      ${hasAccount ? actionButton(texts.refresh, { kind: 'refreshed' }) : nothing}
      ${hasAccount && canExport ? actionButton(texts.exportAll, { kind: 'exportRequested' }) : nothing}
    </header>
  `;
}

function accountLabel(environment: string, profile: string): TemplateResult {
  return html`<span class="account">
    <span class="environment" data-environment=${environment}>${cleanText(environment)}</span>
    <span class="profile">${cleanText(profile)}</span>
  </span>`;
}
