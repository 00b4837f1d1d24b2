import type { Display } from '../../base/display.ts';
import { minuteMs } from '../../base/time.ts';
import { ExchangeError, isSignInRefused, longPauseMs } from '../../exchange/exchangeError.ts';
import type { RpcFailure } from '../../protocol/messages.ts';
import { errorText, exchangeFailureText, pauseText, withoutAdvice } from '../text/failureText.ts';
import { signInButtons } from '../text/signInHelp.ts';

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
