import { html, nothing, type TemplateResult } from 'lit';
import { detailsPane } from '../details/detailsPane.ts';
import type { Dispatch, OpenState, ShownRows } from '../state/pageState.ts';
import { findBar } from './findBar.ts';
import './gridElement.ts';

/** The rows, with the search above them and the details of the active row beside them. */
export function gridArea(state: OpenState, shown: ShownRows, dispatch: Dispatch): TemplateResult {
  const { find, areDetailsOpen } = state.grid;
  return html`
    ${find === null ? nothing : findBar(state, find, dispatch)}
    <div class="gridArea">
      <margin-grid .state=${state} .shown=${shown} .dispatch=${dispatch}></margin-grid>
      ${areDetailsOpen ? detailsPane(state, dispatch) : nothing}
    </div>
  `;
}
