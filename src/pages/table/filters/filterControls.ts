import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import type { VscodeSingleSelect } from '@vscode-elements/elements/dist/vscode-single-select/index.js';
import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { keyed } from 'lit/directives/keyed.js';
import { live } from 'lit/directives/live.js';
import { cleanText } from '../../../base/cleanText.ts';
import type { Filter } from '../../../protocol/table.ts';
import type { Dispatch, OpenState } from '../state/pageState.ts';
import { fieldErrorView } from '../view/controls.ts';
import './combobox.ts';
import type { FormValue } from './filterForm.ts';

type Control = {
  readonly filter: Filter;
  readonly state: OpenState;
  readonly id: string;
  readonly value: FormValue;
  readonly fieldError: string | undefined;
  readonly edit: (value: FormValue) => void;
};

/** One filter with its label and its field error. */
export function filterControl(
  filter: Filter,
  state: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const { parameter } = filter;
  const control: Control = {
    filter,
    state,
    id: `filter-${parameter}`,
    value: state.formValues[parameter] ?? null,
    fieldError: state.fieldErrors[parameter],
    edit: (value) => dispatch({ kind: 'filterEdited', parameter, value }),
  };
  switch (filter.kind) {
    case 'text':
      return labelledField(control, filter.label, textField(control));
    case 'choice':
      return labelledField(control, filter.label, dropdown(control));
    case 'instant': {
      const label = state.texts.inZone(filter.label, state.display.zone.name);
      return labelledField(control, label, dateTimeField(control));
    }
    case 'choices':
      return checkboxes(control);
    case 'switch':
      return radioButtons(filter, state.query.filters[parameter], dispatch);
  }
}

function labelledField(
  { filter, id, fieldError }: Control,
  label: string,
  field: TemplateResult,
): TemplateResult {
  return html`
    <div class="field" data-kind=${filter.kind}>
      <label for=${id}>${label}</label>
      ${field} ${fieldErrorView(`${id}-error`, fieldError)}
    </div>
  `;
}

function textField({ filter, id, value, edit }: Control): TemplateResult {
  return html`<margin-combobox
    .inputId=${id}
    .label=${filter.label}
    .value=${typeof value === 'string' ? value : ''}
    .options=${filter.options}
    .edit=${edit}
  ></margin-combobox>`;
}

function dropdown({ filter, state, id, value, edit }: Control): TemplateResult {
  const change = (event: Event): void => edit((event.target as VscodeSingleSelect).value);
  return html`<vscode-single-select
    id=${id}
    label=${filter.label}
    .value=${typeof value === 'string' ? value : ''}
    @change=${change}
  >
    <vscode-option value="">${state.texts.any}</vscode-option>
    ${filter.options.map(
      (option) => html`<vscode-option value=${option}>${cleanText(option)}</vscode-option>`,
    )}
  </vscode-single-select>`;
}

/** A half-filled input has an empty value, as the form has: `live` therefore does not clear it. */
function dateTimeField({ id, value, fieldError, state, edit }: Control): TemplateResult {
  const input = (event: Event): void => {
    const { validity, value: typed } = event.target as HTMLInputElement;
    edit(validity.badInput ? null : typed);
  };
  return html`${keyed(
    state.formVersion,
    html`<input
      id=${id}
      class="input"
      type="datetime-local"
      step="1"
      max="9999-12-31T23:59:59"
      aria-invalid=${fieldError === undefined ? 'false' : 'true'}
      aria-describedby=${ifDefined(fieldError === undefined ? undefined : `${id}-error`)}
      .value=${live(typeof value === 'string' ? value : '')}
      @input=${input}
    />`,
  )}`;
}

function checkboxes({ filter, value, edit }: Control): TemplateResult {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const toggle = (option: string, event: Event): void => {
    const others = chosen.filter((other) => other !== option);
    edit((event.target as VscodeCheckbox).checked ? [...others, option] : others);
  };
  return html`
    <fieldset class="field" data-kind="choices">
      <legend>${filter.label}</legend>
      <div class="choices">
        ${filter.options.map(
          (option) =>
            html`<vscode-checkbox
              label=${cleanText(option)}
              .checked=${chosen.includes(option)}
              @change=${(event: Event) => toggle(option, event)}
            ></vscode-checkbox>`,
        )}
      </div>
    </fieldset>
  `;
}

function radioButtons(
  { parameter, label, options }: Filter,
  chosen: unknown,
  dispatch: Dispatch,
): TemplateResult {
  return html`
    <fieldset class="field" data-kind="switch">
      <legend>${label}</legend>
      <div class="switch">
        ${options.map(
          (option) =>
            html`<label>
              <input
                type="radio"
                name=${parameter}
                value=${option}
                .checked=${live(option === chosen)}
                @change=${() => dispatch({ kind: 'switchChanged', parameter, value: option })}
              /><span>${cleanText(option)}</span>
            </label>`,
        )}
      </div>
    </fieldset>
  `;
}
