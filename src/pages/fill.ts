import { integerFormat } from '../base/display.ts';
import type { Phrase } from '../base/phrase.ts';
import type { documentPhrases } from '../protocol/texts.ts';

type Value = string | number;

/** What fills the places `{0}`, `{1}` … of an English text. */
type ValuesOf<
  Text extends string,
  Values extends readonly Value[] = [],
> = Text extends `${string}{${Values['length']}}${string}`
  ? ValuesOf<Text, readonly [...Values, Value]>
  : Values;

type Filled<Phrases extends Readonly<Record<string, Phrase>>> = {
  readonly [Name in keyof Phrases]: Phrases[Name]['text'] extends `${string}{0}${string}`
    ? (...values: ValuesOf<Phrases[Name]['text']>) => string
    : string;
};

/** The texts of a page with a document. */
export type DocumentTexts = Filled<typeof documentPhrases>;

/**
 * Texts with places become functions of what fills them. The host sends texts with the places that the English ones
 * have. `locale` is a BCP 47 tag; it groups the digits of numbers.
 */
export function fill<Phrases extends Readonly<Record<string, Phrase>>>(
  texts: Readonly<Record<keyof Phrases, string>>,
  locale: string,
): Filled<Phrases> {
  const integers = integerFormat(locale);
  const filled = Object.entries<string>(texts).map(([name, text]) => {
    if (!text.includes('{0}')) return [name, text];
    const withValues = (...values: readonly Value[]): string =>
      text.replace(/\{(\d)\}/g, (place, index: string) => {
        const value = values[Number(index)] ?? place;
        return typeof value === 'number' ? integers.format(value) : value;
      });
    return [name, withValues];
  });
  return Object.fromEntries(filled) as Filled<Phrases>;
}
