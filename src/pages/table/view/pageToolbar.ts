import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { filterChips } from '../filters/filterChips.ts';
import { filterTools } from '../filters/filterTools.ts';
import { gridTools } from '../grid/gridTools.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { icon, type IconName } from './controls.ts';
import './toolbarElement.ts';

/** Whose rows the page shows, the filters, and what can be done with all rows. */
export function pageToolbar(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { texts, description } = state;
  const { title, context, canExport, filters } = description;
  if (context.profile === null) return html`<h1 class="spoken">${title}</h1>`;
  return html`
    <h1 class="spoken">${title}</h1>
    <margin-toolbar role="toolbar" aria-label=${title}>
      <div class="tools">
        ${accountLabel(context.environment, context.profile)}
        ${filters.length > 0 ? filterTools(state, now, dispatch) : nothing}
        <span class="gap"></span>
        ${refreshTool(state, dispatch)}
        ${
          canExport
            ? tool('export', texts.exportAll, () => dispatch({ kind: 'exportRequested' }))
            : nothing
        }
        ${gridTools(state, dispatch)}
      </div>
      ${filterChips(state, now, dispatch)}
    </margin-toolbar>
  `;
}

/** The host says what a page costs when the user turns to the button. */
function refreshTool({ texts, weight }: OpenState, dispatch: Dispatch): TemplateResult {
  const ask = (): void => dispatch({ kind: 'weightRequested' });
  return html`<span class="refresh" @pointerenter=${ask} @focusin=${ask}>
    ${tool('refresh', texts.refresh, () => dispatch({ kind: 'refreshed' }), weight)}
  </span>`;
}

function tool(name: IconName, label: string, run: () => void, details = ''): TemplateResult {
  return html`<button
    class="iconButton"
    type="button"
    title=${details === '' ? label : `${label} · ${details}`}
    aria-label=${label}
    aria-description=${details === '' ? nothing : details}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}

/** The name of the practice exchange says its environment. */
function accountLabel(environment: string, profile: string): TemplateResult {
  return html`<span class="account">
    ${
      environment === 'PRACTICE'
        ? nothing
        : html`<span class="environment" data-environment=${environment}
            >${cleanText(environment)}</span
          >`
    }
    <span class="profile" title=${cleanText(profile)}>${cleanText(profile)}</span>
  </span>`;
}
