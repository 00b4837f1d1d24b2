import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { systemClock } from '../../../base/time.ts';
import type { Filter } from '../../../protocol/table.ts';
import type { OpenState, Dispatch } from '../state/pageState.ts';
import type { PageTexts } from '../state/pageTexts.ts';
import { filterCount } from '../state/savedQuery.ts';
import { button, consumeEvent } from '../view/controls.ts';
import { filterControl } from './filterControls.ts';

const periodDays = [1, 7, 30, 90];

/** One control for each filter. They take effect with Apply, Enter or a period. */
export function filterBar(state: OpenState, dispatch: Dispatch): TemplateResult {
  const { areFiltersShown, description, texts } = state;
  const isList = ({ kind }: Filter): boolean => kind === 'choices';
  const lists = description.filters.filter(isList);
  const singles = description.filters.filter((filter) => !isList(filter));
  return html`
    <section class="filters" aria-label=${texts.filters}>
      <vscode-button
        class="toggle"
        secondary
        aria-expanded=${areFiltersShown ? 'true' : 'false'}
        aria-controls="filters"
        @click=${() => dispatch({ kind: 'filtersToggled' })}
        >${texts.filtersSet(filterCount(state.query, description.filters))}</vscode-button
      >
      <div
        id="filters"
        class="fields"
        ?data-collapsed=${!areFiltersShown}
        @keydown=${(event: KeyboardEvent) => applyOnEnter(event, dispatch)}
      >
        ${[...singles, ...lists].map((filter) => filterControl(filter, state, dispatch))}
        ${singles.some(({ kind }) => kind === 'instant') ? periodButtons(texts, dispatch) : nothing}
        <div class="actions">
          ${button(texts.apply, () => dispatch({ kind: 'filtersApplied' }))}
          ${button(texts.reset, () => dispatch({ kind: 'filtersReset' }), { isSecondary: true })}
        </div>
      </div>
    </section>
  `;
}

/** Each button applies its period and all edited filters at once. */
function periodButtons(texts: PageTexts, dispatch: Dispatch): TemplateResult {
  const choose = (count: number) => (): void =>
    dispatch({ kind: 'lastDaysChosen', count, now: systemClock.now() });
  return html`<div class="periods" role="group" aria-label=${texts.period}>
    ${periodDays.map((count) => button(texts.lastDays(count), choose(count), { isSecondary: true }))}
  </div>`;
}

function applyOnEnter(event: KeyboardEvent, dispatch: Dispatch): void {
  const isField = event.target instanceof Element && event.target.matches('input, vscode-checkbox');
  if (event.key !== 'Enter' || event.isComposing || !isField) return;
  consumeEvent(event);
  dispatch({ kind: 'filtersApplied' });
}
