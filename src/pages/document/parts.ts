import { html, nothing, type TemplateResult } from 'lit';
import { mask, type Display } from '../../base/display.ts';
import type { DocumentButton } from '../../protocol/document.ts';
import { textWithFigures } from '../figure.ts';

/** How figures are shown and read aloud. */
export type FigureParts = {
  readonly display: Display;
  /** Read aloud in place of a masked figure. */
  readonly hiddenWord: string;
};

/** A text with its figures: masked ones are read aloud as a word. */
export function shownText(text: string, { display, hiddenWord }: FigureParts): unknown {
  return text
    .split(mask)
    .map(
      (part, index) =>
        html`${index === 0 ? nothing : html`<span aria-hidden="true">${mask}</span><span class="spoken">${hiddenWord}</span>`}${textWithFigures(part, display)}`,
    );
}

export function paragraphs(texts: readonly string[], figures: FigureParts): TemplateResult[] {
  return texts.map((text) => html`<p>${shownText(text, figures)}</p>`);
}

/** Sentences about what follows them. */
export function notesView(notes: readonly string[], figures: FigureParts): TemplateResult[] {
  return notes.map((note) => html`<p class="remark">${shownText(note, figures)}</p>`);
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
  { action, label, spoken, isChosen }: DocumentButton,
  press: Press,
): TemplateResult {
  const run = (): void => press(action);
  if (isChosen !== undefined)
    return html`<label>
      <input type="checkbox" data-action=${action} .checked=${isChosen} @change=${run} />
      ${label}
    </label>`;
  return html`<button
    type="button"
    data-action=${action}
    aria-label=${spoken ?? nothing}
    @click=${run}
  >
    ${label}
  </button>`;
}
