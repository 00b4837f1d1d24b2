import { html, nothing, type TemplateResult } from 'lit';
import { mask } from '../../base/display.ts';

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
