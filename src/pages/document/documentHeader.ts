import { html, nothing, type TemplateResult } from 'lit';
import type { PageAccount } from '../../protocol/documentTable.ts';

type HeaderTexts = { readonly title: string; readonly account: PageAccount };
type ActionButton<Action extends string> = { readonly action: Action; readonly label: string };
type HeaderButton = readonly [label: string, run: () => Promise<unknown>];

/** Whose document it is and of when, with its buttons; `copied` is a word once it was copied. */
export function documentHeader(
  { title, account }: HeaderTexts,
  time: string,
  copied: string | null,
  buttons: readonly HeaderButton[],
): TemplateResult {
  return html`<header>
    <div class="heading">
      <h1>${title}</h1>
      ${accountView(account)}
      <p class="origin">${time}</p>
    </div>
    <div class="actions">
      <span class="copied" role="status">${copied ?? nothing}</span>
      ${buttons.map(
        ([label, run]) =>
          html`<button type="button" @click=${ignoringFailure(run)}>${label}</button>`,
      )}
    </div>
  </header>`;
}

/** Whose document it is, with its buttons; without an account while none is open. */
export function actionHeader<Action extends string>(
  title: string,
  account: PageAccount | null,
  buttons: readonly ActionButton<Action>[],
  press: (action: Action) => void,
): TemplateResult {
  return html`<header>
    <div class="heading">
      <h1>${title}</h1>
      ${account ? accountView(account) : nothing}
    </div>
    ${actionButtons(buttons, press)}
  </header>`;
}

export function accountView({ environment, profile, origin, remark }: PageAccount): TemplateResult {
  return html`<p class="account">
      ${
        environment === null
          ? nothing
          : html`<span class="environment" data-environment=${environment}>${environment}</span>`
      }
      <span class="profile">${profile}</span>
      ${remark === null ? nothing : html`<span class="origin">${remark}</span>`}
    </p>
    ${origin === '' ? nothing : html`<p class="origin">${origin}</p>`}`;
}

/** A button keeps its element, and so the focus, while its label changes. */
export function actionButtons<Action extends string>(
  buttons: readonly ActionButton<Action>[],
  press: (action: Action) => void,
): TemplateResult | typeof nothing {
  if (buttons.length === 0) return nothing;
  return html`<div class="actions">
    ${buttons.map(
      ({ action, label }) =>
        html`<button type="button" data-action=${action} @click=${() => press(action)}>
          ${label}
        </button>`,
    )}
  </div>`;
}

/** The host has shown the failure already. */
export function ignoringFailure(run: () => Promise<unknown>): () => void {
  return () => void run().catch(() => undefined);
}
