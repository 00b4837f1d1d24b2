import { html, nothing, type TemplateResult } from 'lit';
import { mask } from '../../base/display.ts';
import type { DocumentButton } from '../../protocol/document.ts';

/** A text in which masked figures are read aloud as a word. */
export function shownText(text: string, hiddenWord: string): unknown {
  if (!text.includes(mask)) return text;
  return text
    .split(mask)
    .map(
      (part, index) =>
        html`${index === 0 ? nothing : html`<span aria-hidden="true">${mask}</span><span class="spoken">${hiddenWord}</span>`}${part}`,
    );
}

export function paragraphs(texts: readonly string[], hiddenWord: string): TemplateResult[] {
  return texts.map((text) => html`<p>${shownText(text, hiddenWord)}</p>`);
}

/** Sentences about what follows them. */
export function notesView(notes: readonly string[], hiddenWord: string): TemplateResult[] {
  return notes.map((note) => html`<p class="remark">${shownText(note, hiddenWord)}</p>`);
}

export function ageView(age: string | null): TemplateResult | typeof nothing {
  return age === null ? nothing : html`<span class="age">${age}</span>`;
}

/** Presses a button of the host, at what it is pressed: the row or the point and the series. */
export type Press = (action: string, at?: number[]) => void;

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
