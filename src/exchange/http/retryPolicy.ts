import type { Failure } from '../exchangeError.ts';
import type { Priority } from '../rateLimit/priority.ts';

/** How often a read is sent at most, the first time included. */
export const maxAttempts = 3;

const firstRetryDelayMs = 500;

/**
 * Whether a read with this failure may succeed when it is sent again: where the connection failed or
 * was cut, and where the exchange says that it cannot answer now. What it refused, or answered whole but
 * wrong, will be the same in a second; another request does not repair a certificate; and after our own
 * deadline the caller has waited long enough.
 */
export function isTransient(failure: Failure): boolean {
  const { kind, sent, status, connection } = failure;
  switch (kind) {
    case 'network':
      return connection !== 'certificate';
    case 'server':
      return true;
    case 'timeout':
      return status === 408;
    case 'rateLimited':
      // Our own rate limit refused it, or the exchange bans clients that go on.
      return sent === 'yes' && status !== 418;
    case 'configuration':
    case 'auth':
    case 'refused':
    case 'malformed':
    case 'tooLarge':
    case 'redirected':
      return false;
  }
}

/**
 * Whether a read is sent once more after its `attempt`th failed. The next refresh is due anyway, no
 * sooner than the exchange asks: a refresh shows the pause at once instead of waiting it out unseen.
 */
export function shouldRetry(failure: Failure, attempt: number, priority: Priority): boolean {
  const isPaused = failure.kind === 'rateLimited' || failure.retryAfterMs !== undefined;
  if (priority === 'refresh' && isPaused) return false;
  return attempt < maxAttempts && isTransient(failure);
}

/**
 * How long to wait before sending again after the `attempt`th failed: anything up to twice the
 * longest before, so that those who failed together do not come back together. `random` gives [0, 1).
 * None at first where the exchange had closed a kept connection at the moment when it was used.
 */
export function retryDelayMs(
  { connection, status }: Failure,
  attempt: number,
  random: () => number,
): number {
  const wasIdle = connection === 'closed' && status === undefined;
  if (wasIdle && attempt === 1) return 0;
  return random() * firstRetryDelayMs * 2 ** (attempt - 1);
}

/** Time that the attempts and pauses of one read share. It runs only while one of them does. */
export class TimeBudget {
  private remainingMs: number;

  constructor(totalMs: number) {
    this.remainingMs = totalMs;
  }

  get leftMs(): number {
    return Math.max(0, this.remainingMs);
  }

  spend(durationMs: number): void {
    this.remainingMs -= durationMs;
  }
}
