import { html, type TemplateResult } from 'lit';
import { systemClock } from '../../../base/time.ts';
import { periodDays } from '../../../base/timeZone.ts';
import type { Filter } from '../../../protocol/table.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { consumeEvent, dateField } from '../view/controls.ts';
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
