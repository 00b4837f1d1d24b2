import type { Phrase } from '../../base/phrase.ts';
import { customPeriodPhrases, gridPhrases } from '../../protocol/texts.ts';
import { localized } from './messageText.ts';

/** The texts of a grid in the display language. */
export function gridTexts() {
  return localizedTexts(gridPhrases);
}

/** The texts of a period that is typed. */
export function customPeriodTexts() {
  return localizedTexts(customPeriodPhrases);
}

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
