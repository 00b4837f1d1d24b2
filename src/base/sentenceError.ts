import { inEnglish, type Phrase } from './phrase.ts';

/** What a person can do about a problem right away; the host offers it as a button. */
export type Cure = 'addProfile' | 'editProfile' | 'setCredentials' | 'switchProfile';

export type SentenceErrorOptions = ErrorOptions & { readonly cure?: Cure };

/**
 * An error that is one sentence for a person: what is wrong and the cure. It holds no secret. The host
 * gives it in the person's language; other rooms as a phrase, which the host says in that language.
 */
export class SentenceError extends Error {
  override readonly name = 'SentenceError';
  readonly sentence: string | Phrase;
  readonly cure: Cure | undefined;

  constructor(sentence: string | Phrase, { cure, ...options }: SentenceErrorOptions = {}) {
    super(typeof sentence === 'string' ? sentence : inEnglish(sentence), options);
    this.sentence = sentence;
    this.cure = cure;
  }
}
