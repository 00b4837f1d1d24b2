/**
 * A text for a person from a layer without translations: English, with `{0}`, `{1}` … for its values.
 * The host translates it, and `npm run l10n` collects its text.
 */
export type Phrase<Text extends string = string> = {
  readonly text: Text;
  readonly values: readonly PhraseValue[];
};

/** A value may be a phrase itself. */
type PhraseValue = string | number | Phrase;

/** `text` must be one literal: a text that is put together cannot be found. */
export function phrase<Text extends string>(
  text: Text,
  ...values: readonly PhraseValue[]
): Phrase<Text> {
  return { text, values };
}

/** For programmers: messages of errors, tests. */
export function inEnglish({ text, values }: Phrase): string {
  return text.replace(/\{(\d)\}/g, (place, index: string) => {
    const value = values[Number(index)] ?? place;
    return typeof value === 'object' ? inEnglish(value) : String(value);
  });
}
