import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';

export type ButtonLook = { readonly isSecondary?: boolean; readonly isDisabled?: boolean };

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

/** Why the value of a field is invalid. */
export function fieldErrorView(
  id: string,
  error: string | undefined,
): TemplateResult | typeof nothing {
  if (error === undefined) return nothing;
  return html`<p class="fieldError" id=${id} role="alert">${error}</p>`;
}

/** Hides an event that the page handles from the browser and from VS Code's keybindings. */
export function consumeEvent(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
