import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';

type ButtonLook = { readonly isSecondary?: boolean; readonly isDisabled?: boolean };

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
