import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { fieldErrorView, inputValue } from './controls.ts';

type DateField = {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly edit: (value: string) => void;
};

/** A field for an instant in text. */
export function dateField(field: DateField): TemplateResult {
  const { id, label, placeholder, value, error, edit } = field;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      class="input"
      type="text"
      autocomplete="off"
      spellcheck="false"
      maxlength="30"
      placeholder=${placeholder}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      aria-describedby=${ifDefined(error === undefined ? undefined : `${id}-error`)}
      .value=${value}
      @input=${(event: Event) => edit(inputValue(event))}
    />
    ${fieldErrorView(`${id}-error`, error)}
  </div>`;
}
