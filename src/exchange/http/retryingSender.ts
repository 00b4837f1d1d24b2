import { DeadlineExceeded, sleep, startDeadline } from '../../base/abort.ts';
import type { JsonValue } from '../../base/exactJson.ts';
import type { Clock } from '../../base/time.ts';
import type { Decoded } from '../badRecords.ts';
import type { Decoder } from '../decoders.ts';
import { ExchangeError, type Failure } from '../exchangeError.ts';
import type { OperationName, ReadName } from '../../api/operations.ts';
import { maxWaitMs } from '../rateLimit/priority.ts';
import { isTimestampRejected } from './failures.ts';
import { shouldRetry, maxAttempts, retryDelayMs, TimeBudget } from './retryPolicy.ts';
import { minUsefulCorrectionMs, type ServerClock } from './serverClock.ts';
import type { OperationRequest, SendOptions, Transport } from './transport.ts';

type RetryingSenderOptions = {
  readonly transport: Pick<Transport, 'send'>;
  /** Resolves when the limits are known: nothing but exchange information is sent before. */
  readonly ensureLimits: (options: SendOptions) => Promise<void>;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  /** In [0, 1). */
  readonly random: () => number;
  /** For one request and its whole body, from the sending on. */
  readonly deadlineMs: number;
  /** Whether an operation's request carries the time. */
  readonly sendsTimestamp: (operation: OperationName) => boolean;
};

type ReadRequest<Value> = OperationRequest<Value> & { readonly operation: ReadName };

/** `interactive` unless given. A single attempt is never sent again, so that its weight is bounded. */
export type ReadOptions = Partial<Pick<SendOptions, 'priority' | 'signal'>> & {
  readonly isSingleAttempt?: boolean;
};

/** One read, however often it is sent. */
type PendingRead = {
  readonly operation: ReadName;
  readonly options: SendOptions & { readonly signal: AbortSignal; readonly budget: TimeBudget };
  readonly errors: unknown[];
  /** How far the exchange's clock was ahead when the last attempt was signed. */
  aheadMs: number;
  /** Whether it was signed again after a refused timestamp; at most once. */
  isResigned: boolean;
};

/** Sends reads as soon as the limits are known, and retries those that may succeed later. Writes are not accepted. */
export class RetryingSender {
  private readonly options: RetryingSenderOptions;

  constructor(options: RetryingSenderOptions) {
    this.options = options;
  }

  /**
   * The response to the first of at most three attempts that gets one. Rejects with ExchangeError, or
   * the signal's reason. If a person waits, the wait for weight, all pauses and all attempts together
   * take at most the longest wait plus one deadline. Otherwise the wait for weight is unlimited. All
   * attempts and pauses of a refresh share one deadline, because the next refresh comes soon; those of
   * bulk reads share three.
   */
  async send<Value>(
    request: ReadRequest<Value>,
    { priority = 'interactive', signal, isSingleAttempt = false }: ReadOptions = {},
  ): Promise<Decoded<Value>> {
    signal?.throwIfAborted();
    const { clock, deadlineMs, transport, serverClock, ensureLimits } = this.options;
    const { operation } = request;
    if (operation !== 'exchangeInfo') await ensureLimits({ priority, signal });
    if (isSingleAttempt) return transport.send(request, { priority, signal });
    const deadline = startDeadline(clock, maxWaitMs({ operation, priority }) + deadlineMs, signal);
    const budget = new TimeBudget((priority === 'refresh' ? 1 : maxAttempts) * deadlineMs);
    const options = { priority, signal: deadline.signal, budget };
    const read: PendingRead = { operation, options, errors: [], aheadMs: 0, isResigned: false };
    try {
      for (let attempt = 1; ; attempt += 1) {
        read.aheadMs = serverClock.aheadMs;
        try {
          return await transport.send(request, { ...options, attempt });
        } catch (error) {
          await this.prepareRetry(read, error);
        }
      }
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      throw new ExchangeError({ kind: 'timeout', sent: 'no', operation });
    } finally {
      deadline.dispose();
    }
  }

  /** Returns if the read should be retried; otherwise throws the most informative error. */
  private async prepareRetry(read: PendingRead, error: unknown): Promise<void> {
    const { errors, options } = read;
    errors.push(error);
    try {
      const isLast = !(error instanceof ExchangeError) || errors.length === maxAttempts;
      if (!isLast && (await this.isReadyToRetry(read, error.failure))) return;
    } catch (later) {
      errors.push(later);
    }
    throw errors.reduceRight((later, earlier) =>
      options.budget.leftMs > 0 && isMoreInformative(later) ? later : earlier,
    );
  }

  private async isReadyToRetry(read: PendingRead, failure: Failure): Promise<boolean> {
    const { sendsTimestamp, serverClock } = this.options;
    const isForTime = isTimestampRejected(failure);
    if (sendsTimestamp(read.operation) && (isForTime || mayBeForSignature(failure))) {
      if (!read.isResigned && (await this.syncServerClock(read, isForTime))) return true;
      // The time that it was signed with may be wrong too: the next read uses another.
      serverClock.moveOn(read.aheadMs);
    }
    return this.waitBeforeRetry(read, failure);
  }

  /** Waits before the next attempt; false if there is no next attempt. */
  private async waitBeforeRetry({ errors, options }: PendingRead, failure: Failure) {
    const { priority, signal, budget } = options;
    if (!shouldRetry(failure, errors.length, priority)) return false;
    const { clock, random } = this.options;
    const pauseMs = retryDelayMs(failure, errors.length, random);
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
  private async syncServerClock(read: PendingRead, isForTime: boolean): Promise<boolean> {
    const { options, aheadMs } = read;
    const { serverClock, transport } = this.options;
    const request = { operation: 'exchangeInfo', decoder: asJson } as const;
    read.isResigned = true;
    const readTime = async (): Promise<void> => {
      await transport.send(request, options).catch(ignoreExchangeError);
      serverClock.moveOn(aheadMs);
    };
    await (isForTime ? readTime() : serverClock.readAfterRefusal(readTime));
    return Math.abs(serverClock.aheadMs - aheadMs) >= (isForTime ? 1 : minUsefulCorrectionMs);
  }
}

/** Many exchanges call a signature with a wrong time only invalid. A 403 is about permissions. */
function mayBeForSignature({ kind, status, isFromGateway = false }: Failure): boolean {
  return kind === 'auth' && status !== 403 && !isFromGateway;
}

/** Only the time is wanted, which the transport has read by then. */
const asJson: Decoder<JsonValue> = (value = null) => value;

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
