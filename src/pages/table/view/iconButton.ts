import { html, svg, type TemplateResult } from 'lit';

const icons = {
  up: svg`<path d="m4 10 4-4 4 4"/>`,
  down: svg`<path d="m4 6 4 4 4-4"/>`,
  close: svg`<path d="m4 4 8 8m0-8-8 8"/>`,
  copy: svg`<path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7"/>`,
  columns: svg`<path d="M2.5 3.5h11v9h-11zM6 3.5v9m4-9v9"/>`,
} as const;

export type IconName = keyof typeof icons;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${icons[name]}</svg>`;
}

/** A button without a visible label. */
export function iconButton(
  name: IconName,
  label: string,
  run: () => unknown,
  isDisabled = false,
): TemplateResult {
  return html`<button
    class="iconButton"
    type="button"
    title=${label}
    aria-label=${label}
    ?disabled=${isDisabled}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}
