import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';

/** Why the value of a field is invalid. */
export function fieldErrorView(
  id: string,
  error: string | undefined,
): TemplateResult | typeof nothing {
  if (error === undefined) return nothing;
  return html`<p class="fieldError" id=${id} role="alert">${error}</p>`;
}

/** The text in the field that an event is of. */
export function inputValue({ target }: Event): string {
  return target instanceof HTMLInputElement ? target.value : '';
}

/** Hides an event that the page handles from the browser and from VS Code's keybindings. */
export function consumeEvent(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** What a field does with its value at Enter, unless that ends the composition of a character. */
export function onEnter(apply: (event: KeyboardEvent) => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    consumeEvent(event);
    apply(event);
  };
}

const icons = {
  up: svg`<path d="m4 10 4-4 4 4"/>`,
  down: svg`<path d="m4 6 4 4 4-4"/>`,
  close: svg`<path d="m4.5 4.5 7 7m0-7-7 7"/>`,
  check: svg`<path d="m3.5 8.5 3 3 6-7"/>`,
  copy: svg`<path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7"/>`,
  columns: svg`<path d="M2.5 3.5h11v9h-11zM6 3.5v9m4-9v9"/>`,
  previous: svg`<path d="m10 4-4 4 4 4"/>`,
  next: svg`<path d="m6 4 4 4-4 4"/>`,
  refresh: svg`<path d="M12.5 6A5 5 0 1 0 13 9M13 2.5V6H9.5"/>`,
  export: svg`<path d="M8 2.5v7m-3-3 3 3 3-3M3 11v2.5h10V11"/>`,
  filter: svg`<path d="M2.5 4.5h11m-9 4h7m-5 4h3"/>`,
} as const;

export type IconName = keyof typeof icons;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${icons[name]}</svg>`;
}

type ButtonLook = { readonly isSecondary?: boolean; readonly isDisabled?: boolean };

/** A button without a visible label; `details` is what to know before pressing it. */
export function iconButton(
  name: IconName,
  label: string,
  run: (event: Event) => unknown,
  { isDisabled = false }: ButtonLook = {},
  details = '',
): TemplateResult {
  return html`<button
    class="iconButton"
    type="button"
    title=${details === '' ? label : `${label} · ${details}`}
    aria-label=${label}
    aria-description=${details === '' ? nothing : details}
    ?disabled=${isDisabled}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}

export function button(
  label: string,
  run: () => unknown,
  { isSecondary = false, isDisabled = false }: ButtonLook = {},
): TemplateResult {
  return html`<vscode-button
    ?secondary=${isSecondary}
    ?disabled=${isDisabled}
    aria-disabled=${isDisabled ? 'true' : 'false'}
    @click=${isDisabled ? nothing : run}
    >${label}</vscode-button
  >`;
}

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
