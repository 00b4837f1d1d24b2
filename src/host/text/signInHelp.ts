import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Display } from '../../base/display.ts';
import { secondMs } from '../../base/time.ts';
import type { commands } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { errorText, pauseText } from './failureText.ts';
import { joined } from './messageText.ts';

/** A button that runs a command. */
export type CommandButton = { readonly action: keyof typeof commands; readonly title: string };

/** What to do about a refused sign-in. */
export function signInButtons() {
  return [
    { action: 'setCredentials', title: t('Set Credentials…') },
    { action: 'testConnection', title: t('Test Connection') },
    retryButton(),
  ] as const;
}

export function retryButton() {
  return { action: 'refresh', title: t('Retry') } as const;
}

/** The seconds until the account is read again; undefined while it is read. */
export function nextTryIn({ refresher }: AccountSession, display: Display): string | undefined {
  const { nextReadInMs } = refresher;
  return Number.isNaN(nextReadInMs) ? undefined : display.count(Math.ceil(nextReadInMs / secondMs));
}

/** The same as a sentence. */
export function nextTryText(session: AccountSession, display: Display): string {
  const seconds = nextTryIn(session, display);
  return seconds === undefined ? '' : t('Next try in {0} s.', seconds);
}

/** Why the last read of the account failed; undefined if it did not fail. An address that worked is not blamed. */
export function accountFailureText(
  { store, rateLimiter }: AccountSession,
  display: Display,
): string | undefined {
  const { failure, snapshot } = store.state;
  if (failure === undefined) return undefined;
  const text = errorText(failure, display, { hasWorked: snapshot !== undefined });
  return joined(text, pauseText(rateLimiter.usage, display));
}
