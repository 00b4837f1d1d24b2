import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, svg, type TemplateResult } from 'lit';

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

const circle = svg`<path d="M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13Z"/>`;

/** Strokes in a square of 16 by 16. */
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
  done: svg`${circle}<path d="M5 8.3l2.1 2.1L11.2 6"/>`,
  problem: svg`${circle}<path d="M8 4.6v4.2M8 11.1v.2"/>`,
  pending: svg`${circle}<path d="M8 4.6V8l2.2 1.5"/>`,
  skipped: svg`${circle}<path d="M4.8 8h6.4"/>`,
  failed: svg`${circle}<path d="M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6"/>`,
  unknown: svg`${circle}<path d="M6.1 6.2a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.8.7-.8 1.4M8 11.4v.2"/>`,
  notSent: svg`${circle}<path d="M3.6 12.4l8.8-8.8"/>`,
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
