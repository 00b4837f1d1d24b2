import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import type { Filter } from '../../../protocol/table.ts';
import { filterCount } from '../query.ts';
import type { OpenState } from '../state.ts';
import { words } from '../words.ts';
import { button } from './button.ts';
import { take, type Dispatch } from './dispatch.ts';
import { filterControl } from './filterControl.ts';

/** One control for each parameter of the operation; nothing is asked before Apply or Enter. */
export function filterBar(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { areFiltersShown, description } = state;
  const isList = ({ kind }: Filter): boolean => kind === 'choices';
  const lists = description.filters.filter(isList);
  const singles = description.filters.filter((filter) => !isList(filter));
  return html`
    <section class="filters" aria-label=${words.filters}>
      <vscode-button
        class="toggle"
        secondary
        aria-expanded=${areFiltersShown ? 'true' : 'false'}
        aria-controls="filters"
        @click=${() => dispatch({ kind: 'toggledFilters' })}
        >${words.filtersSet(filterCount(state.query, description.filters))}</vscode-button
      >
      <div
        id="filters"
        class="fields"
        ?data-collapsed=${!areFiltersShown}
        @keydown=${(event: KeyboardEvent) => applyOnEnter(event, dispatch)}
      >
        ${[...singles, ...lists].map((filter) => filterControl(filter, state, dispatch))}
        <div class="actions">
          ${button(words.apply, () => dispatch({ kind: 'applied' }))}
          ${button(words.reset, () => dispatch({ kind: 'reset' }), { isSecondary: true })}
        </div>
      </div>
    </section>
  `;
}

function applyOnEnter(event: KeyboardEvent, dispatch: Dispatch): void {
  const isField = event.target instanceof Element && event.target.matches('input, vscode-checkbox');
  if (event.key !== 'Enter' || event.isComposing || !isField) return;
  take(event);
  dispatch({ kind: 'applied' });
}
