import type { Display } from '../../base/display.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import type { RpcFailure } from '../../protocol/messages.ts';
import { sentenceFor } from '../words.ts';

/** How long a limit lasts when the exchange does not say: its limits are per minute (section 2.7). */
const minuteMs = 60_000;

/** Why a table page gets no answer, in words for a person. `now` is in epoch milliseconds. */
export function tableFailure(error: unknown, now: number, display: Display): RpcFailure {
  const sentence = sentenceFor(error, display);
  if (!(error instanceof ExchangeError)) return { kind: 'configuration', sentence };
  const { kind, retryAfterMs = kind === 'rateLimited' ? minuteMs : undefined } = error.failure;
  return retryAfterMs === undefined
    ? { kind, sentence }
    : { kind, sentence, retryAt: now + retryAfterMs };
}
