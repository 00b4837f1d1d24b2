import { html, nothing, type TemplateResult } from 'lit';
import type { DocumentButton } from '../../protocol/document.ts';

export type Press = (action: string) => void;

/** A button keeps its element, and so the focus, while its label changes. */
export function actionButtons(
  buttons: readonly DocumentButton[],
  press: Press,
): TemplateResult | typeof nothing {
  if (buttons.length === 0) return nothing;
  return html`<div class="actions">${buttons.map((button) => buttonView(button, press))}</div>`;
}

export function buttonView(
  { action, label, spoken }: DocumentButton,
  press: Press,
): TemplateResult {
  return html`<button
    type="button"
    data-action=${action}
    aria-label=${spoken ?? nothing}
    @click=${() => press(action)}
  >
    ${label}
  </button>`;
}
