import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { minuteMs } from '../../base/time.ts';
import { ExchangeError, isSignInRefused, longPauseMs } from '../../exchange/exchangeError.ts';
import type { RpcFailure } from '../../protocol/messages.ts';
import { signInButtons } from '../text/signInHelp.ts';
import { errorText, exchangeFailureText, pauseText, withoutAdvice } from '../text/failureText.ts';

const maxLinkLength = 2000;

/**
 * The address of a link from the exchange. Throws UserFacingError unless it is an `https:` URL without
 * a user name and at most 2,000 characters long.
 */
export function parseLink(text: string, display: Display): URL {
  const { t } = vscode.l10n;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    throw new UserFacingError(t('The link was not opened: only https links can be opened.'));
  if (url.username !== '' || url.password !== '')
    throw new UserFacingError(
      t('The link was not opened: it contains a user name, which could hide its real host.'),
    );
  if (url.href.length > maxLinkLength)
    throw new UserFacingError(
      t('The link was not opened: it is longer than {0} characters.', display.count(maxLinkLength)),
    );
  return url;
}

/** Shows the address of a link and opens it outside VS Code if the user confirms. */
export async function confirmAndOpenLink({ host, href }: URL): Promise<void> {
  const open = vscode.l10n.t('Open Link');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Open a link from the exchange to {0}?', host),
    { modal: true, detail: href },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
}

/** Why a request of the page failed, in words for the user. A rate limit without a time is per minute (section 2.7). `now` is in epoch milliseconds. */
export function toRpcFailure(error: unknown, now: number, display: Display): RpcFailure {
  if (!(error instanceof ExchangeError))
    return { kind: 'configuration', sentence: errorText(error, display) };
  const { failure } = error;
  const { kind: cause, isFromGateway = false } = failure;
  const { retryAfterMs = cause === 'rateLimited' ? minuteMs : undefined } = failure;
  // The title of a sign-in that failed would blame the key.
  const kind = isFromGateway ? 'refused' : cause;
  if (retryAfterMs !== undefined && retryAfterMs <= longPauseMs)
    return { kind, sentence: withoutAdvice(failure, display), retryAt: now + retryAfterMs };
  const isPause = failure.sent === 'yes' && retryAfterMs !== undefined;
  const pausedUntil = isPause ? now + retryAfterMs : undefined;
  const pause = pauseText({ at: now, pausedUntil }, display);
  const sentence = `${exchangeFailureText(failure, display)} ${pause}`.trim();
  const [setCredentials, testConnection] = signInButtons();
  const signIn = isSignInRefused(error) ? { signIn: [setCredentials, testConnection] } : {};
  return { kind, sentence, ...signIn };
}
