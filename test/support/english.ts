import { inEnglish, type Phrase } from '../../src/base/phrase.ts';

/** What the words of another room than the host are in English; empty if there are none. */
export function english(words: string | Phrase | undefined): string {
  return typeof words === 'object' ? inEnglish(words) : (words ?? '');
}
