import { html, type TemplateResult } from 'lit';
import type { Filter } from '../../../protocol/table.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { popoverButton } from '../view/popoverMenu.ts';
import './combobox.ts';

/** Takes effect with Enter or with the choice of a suggestion. */
export function textFilter(
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
