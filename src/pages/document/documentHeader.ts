import { html, nothing, type TemplateResult } from 'lit';

type HeaderTexts = Readonly<Record<'title' | 'environment' | 'profile' | 'origin', string>>;
type HeaderButton = readonly [label: string, run: () => Promise<unknown>];

/** Whose document it is and of when, with its buttons; `copied` is a word once it was copied. */
export function documentHeader(
  { title, environment, profile, origin }: HeaderTexts,
  time: string,
  copied: string | null,
  buttons: readonly HeaderButton[],
): TemplateResult {
  return html`<header>
    <div class="heading">
      <h1>${title}</h1>
      <p class="account">
        <span class="environment" data-environment=${environment}>${environment}</span>
        <span class="profile">${profile}</span>
      </p>
      <p class="origin">${origin}</p>
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

/** The host has shown the failure already. */
export function ignoringFailure(run: () => Promise<unknown>): () => void {
  return () => void run().catch(() => undefined);
}
