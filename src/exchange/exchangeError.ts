import type { Phrase } from '../base/phrase.ts';
import { minuteMs } from '../base/time.ts';
import type { OperationName } from '../api/operations.ts';

/**
 * Why a call failed.
 * - `configuration`: it could not be made with these settings.
 * - `auth`: 401 or 403, or a success whose body names such an error.
 * - `rateLimited`: an over-limit status (429, 418), the words of another 4xx or of a success, or our own
 *   rate limit.
 * - `timeout`: our deadline passed, or 408.
 * - `server`: 5xx or 425.
 * - `refused`: another 4xx, or a success whose body names another error.
 * - `network`: no whole answer.
 * - `malformed`: an answer that is not what the API promises, as 304, or a write's with another success
 *   than 200.
 * - `tooLarge`: a body over the cap.
 * - `redirected`: the server pointed elsewhere and we did not follow.
 */
export const errorKinds = [
  'configuration',
  'auth',
  'refused',
  'rateLimited',
  'network',
  'timeout',
  'server',
  'malformed',
  'tooLarge',
  'redirected',
] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** In a longer pause, a person may try whether the exchange still wants it. */
export const longPauseMs = 15 * minuteMs;

/** Whether the request left: `yes` when a status came back, `maybe` when it left and none did. */
export const sentStates = ['no', 'yes', 'maybe'] as const;
type Sent = (typeof sentStates)[number];

/**
 * How a connection failed. `certificate`: what answered is not trusted; `unreachable`: nothing left;
 * `closed`: the other side ended it, as it may a kept one at any time; `lost`: in another way.
 */
export const connectionProblems = ['certificate', 'unreachable', 'closed', 'lost'] as const;
export type ConnectionProblem = (typeof connectionProblems)[number];

export type Failure = {
  readonly kind: ErrorKind;
  readonly sent: Sent;
  readonly operation: OperationName;
  /** HTTP status, if an answer came. */
  readonly status?: number;
  /** How long the server asked us to wait. */
  readonly retryAfterMs?: number;
  /** What the server said about it, cleaned, if its answer was readable. */
  readonly serverWords?: string;
  /** Its own code for it, cleaned, if it gave one. */
  readonly serverCode?: string;
  /** Whether the answer is not the API's: a gateway's, or a website's. A 403 that blames no key may be either's. */
  readonly isFromGateway?: boolean;
  /** Of a `network` failure. */
  readonly connection?: ConnectionProblem;
  /** What we saw: the field at fault, the host redirected to, the code of a broken connection. */
  readonly detail?: string | Phrase;
};

/** The one error of the exchange client. It carries data; the host writes the text. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.operation}: ${failure.kind}`);
    this.failure = failure;
  }
}

/** Whether the exchange refused the credentials, as far as its answer says. */
export function isSignInRefused(error: unknown): boolean {
  if (!(error instanceof ExchangeError)) return false;
  const { kind, isFromGateway = false } = error.failure;
  return kind === 'auth' && !isFromGateway;
}

/** A period was refused for its length. How long one may be is known now. */
export class PeriodTooLongError extends ExchangeError {}
