import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { Filter } from '../../../protocol/table.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { filterCount } from '../state/pageQuery.ts';
import { icon } from '../view/controls.ts';
import { menu, popoverButton, type MenuItem } from '../view/popoverMenu.ts';
import './combobox.ts';
import { periodTool } from './periodTool.ts';
import { sourceTools } from './sourceTools.ts';

/** One button for each filter. In a narrow page, a button opens them all. */
export function filterTools(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { description, texts, query } = state;
  const { filters } = description;
  const hasPeriod = filters.some(({ kind }) => kind === 'instant');
  return html`
    <button class="tool fold" type="button" aria-haspopup="dialog" popovertarget="filterTools">
      ${icon('filter')}<span>${texts.filtersSet(filterCount(query, filters))}</span>
    </button>
    <div id="filterTools" class="filterTools" role="group" aria-label=${texts.filters} popover>
      ${sourceTools(state, dispatch)}
      ${filters.map((filter) => filterTool(filter, state, dispatch))}
      ${hasPeriod ? periodTool(state, now, dispatch) : nothing}
    </div>
  `;
}

function filterTool(
  filter: Filter,
  state: OpenState,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  switch (filter.kind) {
    case 'text':
      return textFilter(filter, state, dispatch);
    case 'choice':
      return choiceTool(filter, state, dispatch);
    case 'choices':
      return choicesTool(filter, state, dispatch);
    case 'switch':
      return switchTool(filter, state, dispatch);
    case 'instant':
      return nothing;
  }
}

function choiceTool(
  { parameter, label, options }: Filter,
  { query, texts }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const chosen = query.filters[parameter] ?? '';
  const items = ['', ...options].map((value): MenuItem => ({
    label: value === '' ? texts.any : cleanText(value),
    isChecked: value === chosen,
    choose: () => dispatch({ kind: 'filterChosen', parameter, value }),
  }));
  return popoverButton({ id: `filter-${parameter}`, label, content: menu(label, items) });
}

/** Takes effect when it closes. */
function choicesTool(
  { parameter, label, options }: Filter,
  { formValues }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const chosen = [formValues[parameter] ?? []].flat();
  const items = options.map((option): MenuItem => {
    const isChecked = chosen.includes(option);
    const value = isChecked ? chosen.filter((other) => other !== option) : [...chosen, option];
    return {
      label: cleanText(option),
      isChecked,
      choose: () => dispatch({ kind: 'filterEdited', parameter, value }),
    };
  });
  return popoverButton({
    id: `filter-${parameter}`,
    label,
    content: menu(label, items, { isMultiple: true }),
    onClose: () => dispatch({ kind: 'filtersApplied', parameters: [parameter] }),
  });
}

/** Always has an option, which its button shows. */
function switchTool(
  { parameter, label, options }: Filter,
  { query, texts }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const chosen = [query.filters[parameter] ?? ''].flat().join();
  const items = options.map((value): MenuItem => ({
    label: cleanText(value),
    isChecked: value === chosen,
    choose: () => dispatch({ kind: 'filterChosen', parameter, value }),
  }));
  const content = menu(label, items);
  return popoverButton({
    id: `filter-${parameter}`,
    label: texts.labelled(label, chosen),
    content,
  });
}

/** Takes effect with Enter or with the choice of a suggestion. */
function textFilter(
  { parameter, label, options }: Filter,
  { formValues }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const id = `filter-${parameter}`;
  const value = formValues[parameter] ?? '';
  return popoverButton({
    id,
    label,
    content: html`<margin-combobox
      .inputId=${`${id}-text`}
      .label=${label}
      .value=${typeof value === 'string' ? value : ''}
      .options=${options}
      .edit=${(text: string) => dispatch({ kind: 'filterEdited', parameter, value: text })}
      .choose=${(text: string) => dispatch({ kind: 'filterChosen', parameter, value: text })}
    ></margin-combobox>`,
  });
}
