/** What a person can do about a problem right away; the host offers it as a button. */
export type Cure = 'addProfile' | 'editProfile' | 'setCredentials' | 'switchProfile';

export type SentenceErrorOptions = ErrorOptions & { readonly cure?: Cure };

/** An error whose message is one sentence for a person: what is wrong and the cure. It holds no secret. */
export class SentenceError extends Error {
  override readonly name = 'SentenceError';
  readonly cure: Cure | undefined;

  constructor(sentence: string, { cure, ...options }: SentenceErrorOptions = {}) {
    super(sentence, options);
    this.cure = cure;
  }
}
