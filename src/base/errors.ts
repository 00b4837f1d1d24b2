import { inEnglish, type Phrase } from './phrase.ts';

/** What a person can do about a problem right away; the host offers it as a button. */
export type SuggestedAction =
  | 'addProfile'
  | 'editProfile'
  | 'setCredentials'
  | 'switchProfile'
  | 'downloadHistory';

type UserFacingErrorOptions = ErrorOptions & { readonly suggestedAction?: SuggestedAction };

/**
 * An error whose message is for a person: what is wrong and what to do. It holds no secret. The host
 * throws it in the person's language; other layers throw a phrase, which the host translates.
 */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';
  readonly userMessage: string | Phrase;
  readonly suggestedAction: SuggestedAction | undefined;

  constructor(
    sentence: string | Phrase,
    { suggestedAction, ...options }: UserFacingErrorOptions = {},
  ) {
    super(typeof sentence === 'string' ? sentence : inEnglish(sentence), options);
    this.userMessage = sentence;
    this.suggestedAction = suggestedAction;
  }
}

/** Runs all steps one after the other, even if some fail. Rejects with the first error. */
export async function runSequentially(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
