import { inEnglish, type Phrase } from '../../src/base/phrase.ts';
import { fill } from '../../src/pages/fill.ts';
import { documentPhrases } from '../../src/protocol/texts.ts';

/** The texts of a page with a document, as in a VS Code in English. */
export function englishDocumentTexts() {
  const english = Object.entries<Phrase>(documentPhrases).map(([name, phrase]) => [
    name,
    inEnglish(phrase),
  ]);
  const texts = Object.fromEntries(english) as Record<keyof typeof documentPhrases, string>;
  return fill<typeof documentPhrases>(texts, 'en');
}
