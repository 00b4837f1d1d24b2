import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { Filter, TableSource } from '../../../protocol/table.ts';
import { type Dispatch, type OpenState, searchParameter } from '../state/pageState.ts';
import { filterCount, sourceOf } from '../state/pageQuery.ts';
import { consumeEvent, icon, inputValue } from '../../controls/controls.ts';
import { dateField } from '../../controls/dateField.ts';
import { menu, popoverButton, type MenuItem, closePopover } from '../../controls/popover.ts';
import { systemClock } from '../../../base/time.ts';
import { periodDays } from '../../../base/timeZone.ts';
import { chosenDays } from './filterChips.ts';

import '../../controls/combobox.ts';

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

/** The last days, all, or two dates of the user's own, which take effect with Enter. */
function periodTool(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { description, texts } = state;
  const item = (days: number | null, label: string): MenuItem => ({
    label,
    isChecked: chosenDays(state, now) === days,
    choose: () => dispatch({ kind: 'periodChosen', days, now: systemClock.now() }),
  });
  const items = [
    ...periodDays.map((days) => item(days, texts.lastDays(days))),
    item(null, texts.all),
  ];
  const instants = description.filters.filter(({ kind }) => kind === 'instant');
  const content = html`${menu(texts.period, items)}
    <fieldset class="custom" @keydown=${(event: KeyboardEvent) => applyOnEnter(event, dispatch)}>
      <legend>${texts.custom}</legend>
      ${instants.map((filter) => instantField(filter, state, dispatch))}
    </fieldset>`;
  return popoverButton({ id: 'filter-period', label: texts.period, content });
}

function instantField(
  { parameter, label }: Filter,
  { formValues, fieldErrors, texts, display }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const value = formValues[parameter];
  return dateField({
    id: `filter-${parameter}`,
    label: texts.inZone(label, display.zone.name),
    placeholder: texts.instantFormat,
    value: typeof value === 'string' ? value : '',
    error: fieldErrors[parameter],
    edit: (text) => dispatch({ kind: 'filterEdited', parameter, value: text }),
  });
}

/** Closes unless a date is invalid. */
function applyOnEnter(event: KeyboardEvent, dispatch: Dispatch): void {
  if (event.key !== 'Enter' || event.isComposing) return;
  consumeEvent(event);
  dispatch({ kind: 'filtersApplied', parameters: ['dateFrom', 'dateTo'] });
  const fields = event.currentTarget as HTMLElement;
  if (!fields.querySelector('[aria-invalid=true]')) closePopover(event);
}

/** Where the rows are read, and the search that the ledger offers; nothing without a ledger. */
function sourceTools(state: OpenState, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (state.description.source === null) return nothing;
  return html`${sourceSwitch(state, dispatch)}
  ${state.query.ledger ? searchField(state.query.ledger.search, state, dispatch) : nothing}`;
}

function sourceSwitch({ query, texts }: OpenState, dispatch: Dispatch): TemplateResult {
  const chosen = sourceOf(query);
  const item = (source: TableSource): MenuItem => ({
    label: texts[source],
    isChecked: source === chosen,
    choose: () => dispatch({ kind: 'sourceChosen', source }),
  });
  return popoverButton({
    id: 'source',
    label: texts.labelled(texts.source, texts[chosen]),
    content: menu(texts.source, [item('exchange'), item('ledger')]),
  });
}

/** Takes effect with Enter, or when it is left; until then its text is kept for the next page of the panel. */
function searchField(
  applied: string,
  { texts, formValues }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const edit = (event: Event): void =>
    dispatch({ kind: 'filterEdited', parameter: searchParameter, value: inputValue(event) });
  const apply = (event: Event): void =>
    dispatch({ kind: 'searchChosen', text: inputValue(event).trim() });
  const applyOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    consumeEvent(event);
    apply(event);
  };
  return html`<input
    id="ledgerSearch"
    class="input search"
    type="text"
    maxlength="200"
    autocomplete="off"
    spellcheck="false"
    placeholder=${texts.search}
    aria-label=${texts.search}
    title=${texts.searchHint}
    .value=${formValues[searchParameter] ?? applied}
    @input=${edit}
    @keydown=${applyOnEnter}
    @change=${apply}
  />`;
}
