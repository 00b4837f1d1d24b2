import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Display } from '../../base/display.ts';
import { minuteMs, secondMs } from '../../base/time.ts';
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

type NextRead = { readonly refresher: Pick<AccountSession['refresher'], 'nextReadInMs'> };

/** How long until the account is read again, as in `23 s` and `80 min`; undefined while it is read. */
export function nextTryIn({ refresher }: NextRead, display: Display): string | undefined {
  const { nextReadInMs } = refresher;
  if (Number.isNaN(nextReadInMs)) return undefined;
  const seconds = Math.ceil(nextReadInMs / secondMs);
  return seconds < 120
    ? t('{0} s', display.count(seconds))
    : t('{0} min', display.count(Math.ceil(nextReadInMs / minuteMs)));
}

/** The same as a sentence. */
export function nextTryText(session: NextRead, display: Display): string {
  const wait = nextTryIn(session, display);
  return wait === undefined ? '' : t('Next try in {0}.', wait);
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
