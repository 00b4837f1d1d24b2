import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { systemClock } from '../../../base/time.ts';
import { periodDays } from '../../../base/timeZone.ts';
import type { Filter } from '../../../protocol/table.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { consumeEvent, fieldErrorView } from '../view/controls.ts';
import { closePopover, menu, popoverButton, type MenuItem } from '../view/popoverMenu.ts';
import { chosenDays } from './filterChips.ts';

/** The last days, all, or two dates of the user's own, which take effect with Enter. */
export function periodTool(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
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
  const id = `filter-${parameter}`;
  const error = fieldErrors[parameter];
  const value = formValues[parameter];
  const edit = ({ target }: Event): void =>
    dispatch({ kind: 'filterEdited', parameter, value: (target as HTMLInputElement).value });
  return html`<div class="field">
    <label for=${id}>${texts.inZone(label, display.zone.name)}</label>
    <input
      id=${id}
      class="input"
      type="text"
      autocomplete="off"
      spellcheck="false"
      maxlength="30"
      placeholder=${texts.instantFormat}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      aria-describedby=${ifDefined(error === undefined ? undefined : `${id}-error`)}
      .value=${typeof value === 'string' ? value : ''}
      @input=${edit}
    />
    ${fieldErrorView(`${id}-error`, error)}
  </div>`;
}

/** Closes unless a date is invalid. */
function applyOnEnter(event: KeyboardEvent, dispatch: Dispatch): void {
  if (event.key !== 'Enter' || event.isComposing) return;
  consumeEvent(event);
  dispatch({ kind: 'filtersApplied', parameters: ['dateFrom', 'dateTo'] });
  const fields = event.currentTarget as HTMLElement;
  if (!fields.querySelector('[aria-invalid=true]')) closePopover(event);
}
