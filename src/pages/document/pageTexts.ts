import type { documentPhrases } from '../../protocol/texts.ts';
import { fill } from '../fill.ts';

/** The texts of a page with a document. */
export type DocumentTexts = ReturnType<typeof formatDocumentTexts>;

/** `locale` is a BCP 47 tag; it groups the digits of numbers. */
export function formatDocumentTexts(
  texts: Readonly<Record<keyof typeof documentPhrases, string>>,
  locale: string,
) {
  return fill<typeof documentPhrases>(texts, locale);
}
