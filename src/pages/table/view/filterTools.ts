import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { openEnd, openStart } from '../../../base/interval.ts';
import type { Filter } from '../../../protocol/table.ts';
import { type Dispatch, type OpenState, searchParameter, type Action } from '../state/pageState.ts';
import { filterCount, sourceOf, isSearched } from '../../../protocol/tableQuery.ts';
import { icon, inputValue, onEnter } from '../../controls/controls.ts';
import {
  type DateField,
  datesForm,
  menu,
  optionMenu,
  popoverButton,
  type Option,
} from '../../controls/popover.ts';
import { formValue } from '../state/filterForm.ts';
import { systemClock, secondMs } from '../../../base/time.ts';
import { periodDays, dayCountOf } from '../../../base/timeZone.ts';
import './combobox.ts';
import { tableSources, type TableSource } from '../../../protocol/values.ts';

/** One button for each filter. In a narrow page, a button opens them all. */
export function filterTools(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { description, texts, query } = state;
  const { filters } = description;
  const tools = filters.filter(({ kind }) => kind !== 'instant');
  return html`
    <button class="tool fold" type="button" aria-haspopup="dialog" popovertarget="filterTools">
      ${icon('filter')}<span>${texts.filtersSet(filterCount(query, filters))}</span>
    </button>
    <div id="filterTools" class="filterTools" role="group" aria-label=${texts.filters} popover>
      ${description.source === null ? nothing : sourceSwitch(state, dispatch)}
      ${query.ledger ? searchField(query.ledger.search, state, dispatch) : nothing}
      ${tools.map((filter) => (filter.kind === 'text' ? textFilter : choiceTool)(filter, state, dispatch))}
      ${tools.length < filters.length ? periodTool(state, now, dispatch) : nothing}
    </div>
  `;
}

/**
 * A choice has one option or none, a switch always one, which its button shows. Several choices take effect
 * when their menu closes.
 */
function choiceTool(filter: Filter, state: OpenState, dispatch: Dispatch): TemplateResult {
  const { parameter, label, kind, options } = filter;
  const { texts } = state;
  const isMultiple = kind === 'choices';
  const chosen = [formValue(filter, state)].flat();
  const choose = (option: string): void => {
    const others = chosen.filter((other) => other !== option);
    const toggled = others.length < chosen.length ? others : [...chosen, option];
    if (isMultiple) dispatch({ kind: 'filterEdited', parameter, value: toggled });
    else dispatch({ kind: 'filterChosen', parameter, value: option });
  };
  const items = (kind === 'choice' ? ['', ...options] : options).map((option) => ({
    label: option === '' ? texts.any : cleanText(option),
    isChecked: chosen.includes(option),
    choose: () => choose(option),
  }));
  const apply = (): void => dispatch({ kind: 'filtersApplied', parameters: [parameter] });
  return popoverButton({
    id: `filter-${parameter}`,
    label: kind === 'switch' ? texts.labelled(label, chosen.join()) : label,
    content: menu(label, items, { isMultiple }),
    ...(isMultiple && { onClose: apply }),
  });
}

/** Takes effect with Enter or with the choice of a suggestion. */
function textFilter(filter: Filter, state: OpenState, dispatch: Dispatch): TemplateResult {
  const { parameter, label } = filter;
  const value = String(formValue(filter, state));
  return popoverButton({
    id: `filter-${parameter}`,
    label,
    content: html`<margin-combobox
      .filter=${filter}
      .value=${value}
      .dispatch=${dispatch}
    ></margin-combobox>`,
  });
}

/** The last days, all, or two dates of the user's own, which take effect with Enter. */
function periodTool(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { description, texts, display, fieldErrors } = state;
  const days = periodDays.map((count): Option<number | null> => [count, texts.lastDays(count)]);
  const instants = description.filters.filter(({ kind }) => kind === 'instant');
  const fields = instants.map((filter): DateField => ({
    id: `filter-${filter.parameter}`,
    label: texts.inZone(filter.label, display.zone.name),
    placeholder: texts.instantFormat,
    value: String(formValue(filter, state)),
    error: fieldErrors[filter.parameter],
    edit: (value) => dispatch({ kind: 'filterEdited', parameter: filter.parameter, value }),
  }));
  const content = html`${optionMenu(
    texts.period,
    [...days, [null, texts.all]],
    periodOf(state, now).days,
    (chosen) => dispatch({ kind: 'periodChosen', days: chosen, now: systemClock.now() }),
  )}
  ${datesForm(texts.custom, fields, () => dispatch({ kind: 'filtersApplied', parameters: ['dateFrom', 'dateTo'] }))}`;
  return popoverButton({ id: 'filter-period', label: texts.period, content });
}

/** Where the rows are read. */
function sourceSwitch({ query, texts }: OpenState, dispatch: Dispatch): TemplateResult {
  const chosen = sourceOf(query);
  const options = tableSources.map((source): Option<TableSource> => [source, texts[source]]);
  return popoverButton({
    id: 'source',
    label: texts.labelled(texts.source, texts[chosen]),
    content: optionMenu(texts.source, options, chosen, (source) =>
      dispatch({ kind: 'sourceChosen', source }),
    ),
  });
}

/** Takes effect while it is typed, and at once with Enter; until then its text is kept for the next page of the panel. */
function searchField(
  applied: string,
  { texts, formValues }: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const edit = (event: Event): void =>
    dispatch({ kind: 'filterEdited', parameter: searchParameter, value: inputValue(event) });
  const apply = (event: Event): void => dispatch({ kind: 'searchChosen', text: inputValue(event) });
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
    @keydown=${onEnter(apply)}
  />`;
}

/** The filters that are set, each with a button that removes it, in the order of the tools. */
export function filterChips(
  state: OpenState,
  now: number,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  const { description, query, texts } = state;
  const chip = (text: string, remove: Action): TemplateResult =>
    html`<button
      class="chip"
      type="button"
      title=${texts.removeFilter(text)}
      aria-label=${texts.removeFilter(text)}
      @click=${() => dispatch(remove)}
    >
      <span>${text}</span>${icon('close')}
    </button>`;
  const chips = description.filters.flatMap(({ parameter, label, kind }) => {
    const value = query.filters[parameter];
    if (kind === 'instant' || kind === 'switch' || value === undefined) return [];
    const text = texts.labelled(label, cleanText([value].flat().join(', '), 80));
    return [chip(text, { kind: 'filterChosen', parameter, value: '' })];
  });
  const period = periodText(state, now);
  if (period !== '') chips.push(chip(period, { kind: 'periodChosen', days: null, now }));
  const searched = cleanText(query.ledger?.search ?? '', 80);
  if (isSearched(query))
    chips.push(chip(texts.labelled(texts.search, searched), { kind: 'searchChosen', text: '' }));
  if (chips.length === 0) return nothing;
  return html`<div class="chips" role="group" aria-label=${texts.filters}>
    ${chips}
    <button class="tool" type="button" @click=${() => dispatch({ kind: 'filtersReset' })}>
      ${texts.clear}
    </button>
  </div>`;
}

function periodText(state: OpenState, now: number): string {
  const { display, texts } = state;
  const { from, last, days } = periodOf(state, now);
  if (days === null) return '';
  if (days !== undefined) return texts.lastDays(days);
  const shown = (epochMs: number): string => display.timeToSecond(epochMs);
  if (from === undefined) return texts.until(shown(last ?? 0));
  return last === undefined ? texts.since(shown(from)) : texts.fromTo(shown(from), shown(last));
}

/** In epoch milliseconds, and how many of the last days it is: null for all, undefined for other dates. */
function periodOf({ query: { filters }, display }: OpenState, now: number) {
  const epochMs = (instant: unknown): number | undefined =>
    typeof instant === 'string' ? Date.parse(instant) : undefined;
  const [from, last] = [epochMs(filters.dateFrom), epochMs(filters.dateTo)];
  if ((from ?? last) === undefined) return { days: null };
  const period = { from: from ?? openStart, to: last === undefined ? openEnd : last + secondMs };
  return { from, last, days: dayCountOf(period, now, display.zone) };
}
