import type { OperationName } from './operations.ts';

/**
 * Why a call failed. `configuration`: it could not be made as set up; `auth`: 401 or 403; `refused`:
 * another 4xx; `rateLimited`: 429 or 418; `network`: no whole answer; `timeout`: the deadline
 * passed; `server`: 5xx; `malformed`: an answer that is not what the interface promises; `tooLarge`:
 * a body over the cap; `redirected`: the server pointed elsewhere and we did not follow.
 */
export type ErrorKind =
  | 'configuration'
  | 'auth'
  | 'refused'
  | 'rateLimited'
  | 'network'
  | 'timeout'
  | 'server'
  | 'malformed'
  | 'tooLarge'
  | 'redirected';

/** Whether the request reached the exchange: `maybe` when it left and nothing readable came back. */
export type Sent = 'no' | 'yes' | 'maybe';

export type Failure = {
  readonly kind: ErrorKind;
  readonly sent: Sent;
  readonly operation: OperationName;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** How long the server asked us to wait. */
  readonly retryAfterMs?: number;
  /** The server's own words or the cause's code, cleaned; never part of a credential. */
  readonly detail?: string;
};

/** The one error of the exchange client. It carries facts; the host finds the words. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`${failure.operation}: ${failure.kind}`, options);
    this.failure = failure;
  }
}
