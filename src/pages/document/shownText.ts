import { html, nothing } from 'lit';
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
