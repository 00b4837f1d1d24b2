import type { Failure } from '../exchangeError.ts';
import type { Priority } from '../rateLimit/priority.ts';

/** How often a read is sent at most, the first time included. */
export const maxAttempts = 3;

const firstRetryDelayMs = 500;

/**
 * Whether a retry of a read with this failure may succeed: if the connection failed or was cut, or the
 * exchange says that it cannot answer now. A refusal, or a complete but invalid answer, will be the same
 * in a second; a certificate stays invalid; and after our own deadline the caller has waited long enough.
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
      // Our own rate limit refused it, or the exchange bans clients that continue.
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
 * Whether a read is retried after its `attempt`th failed. A refresh is not retried during a pause: it
 * shows the pause at once, and the next refresh is due after it anyway.
 */
export function shouldRetry(failure: Failure, attempt: number, priority: Priority): boolean {
  const isPaused = failure.kind === 'rateLimited' || failure.retryAfterMs !== undefined;
  if (priority === 'refresh' && isPaused) return false;
  return attempt < maxAttempts && isTransient(failure);
}

/**
 * How long to wait before a retry after the `attempt`th failed: a random time up to twice the longest
 * before, so that clients that failed together do not return together. `random` returns [0, 1). No wait
 * at first if the exchange closed a kept-alive connection at the moment of use.
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
