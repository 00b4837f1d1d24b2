import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';

export type ButtonLook = { readonly isSecondary?: boolean; readonly isDisabled?: boolean };

/** A button of the theme; a disabled one says so to assistive technology too. */
export function button(
  label: string,
  run: () => void,
  { isSecondary = false, isDisabled = false }: ButtonLook = {},
): TemplateResult {
  return html`<vscode-button
    ?secondary=${isSecondary}
    ?disabled=${isDisabled}
    aria-disabled=${isDisabled ? 'true' : 'false'}
    @click=${() => {
      if (!isDisabled) run();
    }}
    >${label}</vscode-button
  >`;
}
