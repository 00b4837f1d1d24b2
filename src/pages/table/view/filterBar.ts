import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { systemClock } from '../../../base/clock.ts';
import type { Filter } from '../../../protocol/table.ts';
import { filterCount } from '../query.ts';
import type { OpenState } from '../state.ts';
import type { Words } from '../words.ts';
import { button } from './button.ts';
import { take, type Dispatch } from './dispatch.ts';
import { filterControl } from './filterControl.ts';

const offeredDays = [1, 7, 30, 90];

/** One control for each parameter of the operation; nothing is asked before Apply, Enter or a period. */
export function filterBar(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { areFiltersShown, description, words } = state;
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
        ${singles.some(({ kind }) => kind === 'instant') ? periods(words, dispatch) : nothing}
        <div class="actions">
          ${button(words.apply, () => dispatch({ kind: 'applied' }))}
          ${button(words.reset, () => dispatch({ kind: 'reset' }), { isSecondary: true })}
        </div>
      </div>
    </section>
  `;
}

/** The last days of the shown zone; with the other filters as they stand they take effect at once. */
function periods(words: Words, dispatch: Dispatch): TemplateResult {
  const choose = (count: number) => (): void =>
    dispatch({ kind: 'choseDays', count, now: systemClock.now() });
  return html`<div class="periods" role="group" aria-label=${words.period}>
    ${offeredDays.map((count) => button(words.lastDays(count), choose(count), { isSecondary: true }))}
  </div>`;
}

function applyOnEnter(event: KeyboardEvent, dispatch: Dispatch): void {
  const isField = event.target instanceof Element && event.target.matches('input, vscode-checkbox');
  if (event.key !== 'Enter' || event.isComposing || !isField) return;
  take(event);
  dispatch({ kind: 'applied' });
}
