import { DeadlineExceeded, sleep, startDeadline } from '../../base/abort.ts';
import type { Clock } from '../../base/time.ts';
import type { ReadName } from '../../api/operations.ts';
import { ExchangeError, type Failure } from '../exchangeError.ts';
import { maxWaitMs, type Priority } from '../rateLimit/priority.ts';
import { isTimestampRejected } from './failures.ts';
import type { RequestWriter } from './requestWriter.ts';
import { minUsefulCorrectionMs, type ServerClock } from './serverClock.ts';

/** How often a read is sent at most, the first time included. */
const maxAttempts = 3;
const firstRetryDelayMs = 500;

/** How one attempt of a read is sent. */
export type AttemptOptions = {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  readonly budget: TimeBudget;
  /** 1 for the first. */
  readonly attempt?: number;
};
type Attempt<Value> = (options: AttemptOptions) => Promise<Value>;

type RetryOptions = {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
  /** Reads exchange information, whose time the server clock takes over. */
  readonly readTime: Attempt<unknown>;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  /** In [0, 1). */
  readonly random: () => number;
  /** For one attempt, from the sending on. */
  readonly deadlineMs: number;
  readonly writer: Pick<RequestWriter, 'sendsTimestamp'>;
};

/**
 * What the first of at most three attempts gives that does not fail. Rejects with ExchangeError, or
 * the signal's reason. If a person waits, the wait for weight, all pauses and all attempts together
 * take at most the longest wait plus one deadline. Otherwise the wait for weight is unlimited. All
 * attempts and pauses of a refresh share one deadline, because the next refresh comes soon; those of
 * bulk reads share three.
 */
export async function retryRead<Value>(
  operation: ReadName,
  send: Attempt<Value>,
  options: RetryOptions,
): Promise<Value> {
  const { clock, priority, deadlineMs, serverClock } = options;
  const deadline = startDeadline(clock, maxWaitMs(priority) + deadlineMs, options.signal);
  const { signal } = deadline;
  const budget = new TimeBudget((priority === 'refresh' ? 1 : maxAttempts) * deadlineMs);
  const read = new RetriedRead(operation, { ...options, signal, budget });
  try {
    for (let attempt = 1; ; attempt += 1) {
      read.aheadMs = serverClock.aheadMs;
      try {
        return await send({ priority, signal, budget, attempt });
      } catch (error) {
        await read.prepareRetry(error);
      }
    }
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    throw new ExchangeError({ kind: 'timeout', sent: 'no', operation });
  } finally {
    deadline.dispose();
  }
}

/** One read, however often it is sent. */
class RetriedRead {
  private readonly operation: ReadName;
  private readonly options: RetryOptions & AttemptOptions;
  private readonly errors: unknown[] = [];
  /** How far the exchange's clock was ahead when the last attempt was signed. */
  aheadMs = 0;
  /** Whether it was signed again after a refused timestamp; at most once. */
  private isResigned = false;

  constructor(operation: ReadName, options: RetryOptions & AttemptOptions) {
    this.operation = operation;
    this.options = options;
  }

  /** Returns if the read should be retried; otherwise throws the most informative error. */
  async prepareRetry(error: unknown): Promise<void> {
    const { errors } = this;
    errors.push(error);
    try {
      const isLast = !(error instanceof ExchangeError) || errors.length === maxAttempts;
      if (!isLast && (await this.isReadyToRetry(error.failure))) return;
    } catch (later) {
      errors.push(later);
    }
    throw errors.reduceRight((later, earlier) =>
      this.options.budget.leftMs > 0 && isMoreInformative(later) ? later : earlier,
    );
  }

  private async isReadyToRetry(failure: Failure): Promise<boolean> {
    const { writer, serverClock } = this.options;
    const isForTime = isTimestampRejected(failure);
    if (writer.sendsTimestamp(this.operation) && (isForTime || mayBeForSignature(failure))) {
      if (!this.isResigned && (await this.syncServerClock(isForTime))) return true;
      // The time that it was signed with may be wrong too: the next read uses another.
      serverClock.moveOn(this.aheadMs);
    }
    return this.waitBeforeRetry(failure);
  }

  /** Waits before the next attempt; false if there is no next attempt. */
  private async waitBeforeRetry(failure: Failure): Promise<boolean> {
    const { priority, signal, budget, clock, random } = this.options;
    const { length: attempts } = this.errors;
    if (!shouldRetry(failure, attempts, priority)) return false;
    const pauseMs = retryDelayMs(failure, attempts, random);
    if (pauseMs >= budget.leftMs) return false;
    const startedAt = clock.steadyNow();
    try {
      await sleep(clock, pauseMs, signal);
    } finally {
      budget.spend(clock.steadyNow() - startedAt);
    }
    return true;
  }

  /**
   * Reads the server's time once. Uses the header `Date` if exchange information has no time, or repeats the
   * refused one, as a cached answer does. False if our time was right; another response may have corrected it.
   */
  private async syncServerClock(isForTime: boolean): Promise<boolean> {
    const { aheadMs } = this;
    const { serverClock, readTime, priority, signal, budget } = this.options;
    this.isResigned = true;
    const read = async (): Promise<void> => {
      await readTime({ priority, signal, budget }).catch(ignoreExchangeError);
      serverClock.moveOn(aheadMs);
    };
    await (isForTime ? read() : serverClock.readAfterRefusal(read));
    return Math.abs(serverClock.aheadMs - aheadMs) >= (isForTime ? 1 : minUsefulCorrectionMs);
  }
}

/** Many exchanges call a signature with a wrong time only invalid. A 403 is about permissions. */
function mayBeForSignature({ kind, status, isFromGateway = false }: Failure): boolean {
  return kind === 'auth' && status !== 403 && !isFromGateway;
}

function ignoreExchangeError(error: unknown): void {
  if (!(error instanceof ExchangeError)) throw error;
}

/** An attempt that was not sent, because time or weight ran out, says less than the failure before it. */
function isMoreInformative(later: unknown): boolean {
  if (later instanceof DeadlineExceeded) return false;
  if (!(later instanceof ExchangeError)) return true;
  const { kind, sent } = later.failure;
  return !(kind === 'rateLimited' && sent === 'no');
}

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
