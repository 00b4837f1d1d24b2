import type { Failure } from './errors.ts';
import type { Priority } from './ledger/priority.ts';

/** How often a read is sent at most, the first time included. */
export const maxAttempts = 3;

const firstPauseMs = 500;

/**
 * Whether a read that failed so may be answered when it is sent again: where the connection failed
 * or was cut, and where the exchange says that it cannot answer now. What it understood and refused,
 * and what it answered whole but wrong, will be the same in a second; a certificate is not mended by
 * asking; and whoever has waited until our own deadline has waited long enough.
 */
export function isPassing(failure: Failure): boolean {
  const { kind, sent, status, connection } = failure;
  switch (kind) {
    case 'network':
      return connection !== 'certificate';
    case 'server':
      return true;
    case 'timeout':
      return status === 408;
    case 'rateLimited':
      // Our own ledger said no, or the exchange bans whoever goes on asking.
      return sent === 'yes' && status !== 418;
    case 'configuration':
    case 'auth':
    case 'refused':
    case 'malformed':
    case 'tooLarge':
    case 'redirected':
      return false;
    default:
      return kind satisfies never;
  }
}

/**
 * Whether a read is sent once more after its `attempt`th failed. A refresh comes again by itself, no
 * sooner than the exchange asks: it tells of the pause at once, and does not wait it out unseen.
 */
export function isSentAgain(failure: Failure, attempt: number, priority: Priority): boolean {
  const isPaused = failure.kind === 'rateLimited' || failure.retryAfterMs !== undefined;
  if (priority === 'refresh' && isPaused) return false;
  return attempt < maxAttempts && isPassing(failure);
}

/**
 * How long to wait before sending again after the `attempt`th failed: anything up to twice the
 * longest before, so that those who failed together do not come back together. `random` gives [0, 1).
 * None at first where the exchange had closed a kept connection at the moment when it was used.
 */
export function pauseBeforeNextMs(
  { connection, status }: Failure,
  attempt: number,
  random: () => number,
): number {
  const wasIdle = connection === 'closed' && status === undefined;
  if (wasIdle && attempt === 1) return 0;
  return random() * firstPauseMs * 2 ** (attempt - 1);
}
