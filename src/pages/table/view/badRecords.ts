import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { Words } from '../words.ts';

const mostSentences = 3;

/** Which records are missing from the rows, and why. */
export function badRecordsNote(
  sentences: readonly string[],
  words: Words,
): TemplateResult | typeof nothing {
  if (sentences.length === 0) return nothing;
  const more = sentences.length - mostSentences;
  return html`
    <div class="note" role="note">
      <p>${words.badRecords(sentences.length)}</p>
      <ul>
        ${sentences.slice(0, mostSentences).map((text) => html`<li>${cleanText(text, 300)}</li>`)}
        ${more > 0 ? html`<li>${words.andMore(more)}</li>` : nothing}
      </ul>
    </div>
  `;
}
