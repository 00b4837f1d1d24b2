import { l10n } from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Display } from '../../base/display.ts';
import { secondMs } from '../../base/time.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { errorText, pauseText } from './failureText.ts';
import { joined } from './messageText.ts';

/** What to do about a refused sign-in: each action is a command. */
export function signInButtons() {
  return [
    { action: 'setCredentials', title: l10n.t('Set Credentials…') },
    { action: 'testConnection', title: l10n.t('Test Connection') },
    { action: 'refresh', title: l10n.t('Retry') },
  ] as const;
}

/** When the account is read again after a refused sign-in; nothing while it is read. */
export function nextTryTexts({ store, refresher }: AccountSession, display: Display): string[] {
  if (!isSignInRefused(store.state.failure) || Number.isNaN(refresher.nextReadInMs)) return [];
  const { nextReadInMs } = refresher;
  return [l10n.t('Next try in {0} s.', display.count(Math.ceil(nextReadInMs / secondMs)))];
}

/** Why the last read of the account failed, and when the next one follows; undefined if it did not fail. */
export function accountFailureText(session: AccountSession, display: Display): string | undefined {
  const { failure } = session.store.state;
  if (failure === undefined) return undefined;
  const pause = pauseText(session.rateLimiter.usage, display);
  return joined(errorText(failure, display), pause, ...nextTryTexts(session, display));
}
