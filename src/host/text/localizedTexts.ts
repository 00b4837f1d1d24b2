import type { Phrase } from '../../base/phrase.ts';
import { localized } from './messageText.ts';

/** A translation that lost its places is not used: a page fills those of the English text. */
export function localizedTexts<Name extends string>(
  phrases: Readonly<Record<Name, Phrase>>,
): Record<Name, string> {
  const texts = Object.entries<Phrase>(phrases).map(([name, phrase]) => {
    const text = localized(phrase);
    return [name, phrase.text.includes('{0}') && !text.includes('{0}') ? phrase.text : text];
  });
  return Object.fromEntries(texts) as Record<Name, string>;
}
