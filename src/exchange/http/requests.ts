import { abortable, DeadlineExceeded, startDeadline, withinOrUndefined } from '../../base/abort.ts';
import type { JsonValue } from '../../base/exactJson.ts';
import type { Clock } from '../../base/time.ts';
import { isRead, operations, type OperationName, type ReadName } from '../../api/operations.ts';
import type { Decoded } from '../badRecords.ts';
import type { QueryPairs } from '../auth/signRequest.ts';
import type { Decoder } from '../decoders.ts';
import { ExchangeError, type Failure } from '../exchangeError.ts';
import { readUsedWeights } from '../rateLimit/limits.ts';
import type { Priority, WeightRequest } from '../rateLimit/priority.ts';
import type { RateLimiter, Reservation } from '../rateLimit/rateLimiter.ts';
import type { SendResult } from '../rateLimit/rateLimitState.ts';
import { answers, type ExchangeInformation } from '../records.ts';
import { decodeBody, parseBody, readBody } from './answer.ts';
import { connectionFailure } from './connectionFailure.ts';
import {
  failureFromBody,
  failureFromStatus,
  isSuccess,
  isTimestampRejected,
  requestedPause,
  type ResponseFailure,
} from './failures.ts';
import type { Fetch, FetchResponse } from './fetch.ts';
import type { Redactor } from './redactor.ts';
import { toLogEntry, type RequestLogEntry } from './requestLog.ts';
import type { RequestWriter } from './requestWriter.ts';
import { retryRead, type TimeBudget } from './retry.ts';
import { startSpan, type ServerClock } from './serverClock.ts';

type RequestsOptions = {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly writer: RequestWriter;
  readonly redactor: Redactor;
  /** Lets each request go when there is weight for it. */
  readonly rateLimiter: RateLimiter;
  /** Before the first request: has the rate limiter take over the limits that were known last. */
  readonly recallLimits: () => void;
  /** Receives exchange information whenever it was read. */
  readonly onExchangeInfo: (information: ExchangeInformation) => void;
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** For one request and its whole body, from the sending on. */
  readonly deadlineMs: number;
  readonly maxBodyBytes: number;
  /** The statuses that say that the rate limit was exceeded. */
  readonly overLimitStatuses: readonly number[];
  /** In [0, 1). */
  readonly random: () => number;
};

/** An operation with its parameters as they are written, and how its response is decoded. */
type OperationRequest<Value> = {
  readonly operation: OperationName;
  /** None unless given. */
  readonly pairs?: QueryPairs;
  readonly decoder: Decoder<Value>;
};
type ReadRequest<Value> = OperationRequest<Value> & { readonly operation: ReadName };

/** How to send one request. The signal aborts the wait for weight and the request. */
type SendOptions = {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
  /** 1 for the first request of an operation. */
  readonly attempt?: number;
  /** What is left of the time that all attempts share; unless given, one deadline. */
  readonly budget?: TimeBudget;
};

/** `interactive` unless given. A single attempt is never sent again, so that its weight is bounded. */
export type ReadOptions = Partial<Pick<SendOptions, 'priority' | 'signal'>> & {
  readonly isSingleAttempt?: boolean;
};

const infoRequest = { operation: 'exchangeInfo', decoder: answers.exchangeInfo } as const;
/** The reads of a cancel-all do not wait long for the limits. */
const urgentLimitsWaitMs = 2000;
/** A write is sent so long after its reservation: its plan may be read again, and its receipt is stored. */
const maxHoldMs = 10_000;

/**
 * The one way of a request to the exchange and back: `admit` waits for weight, `signAndFetch` sends,
 * `readAnswer` and `decodeBody` give what it answers. Only reads are retried.
 */
export class Requests {
  private readonly options: RequestsOptions;

  constructor(options: RequestsOptions) {
    this.options = options;
  }

  /**
   * The response to the first of at most three attempts that gets one, sent when the limits are known.
   * Rejects with ExchangeError, or the signal's reason.
   */
  async read<Value>(
    request: ReadRequest<Value>,
    { priority = 'interactive', signal, isSingleAttempt = false }: ReadOptions = {},
  ): Promise<Decoded<Value>> {
    signal?.throwIfAborted();
    const options = { priority, signal };
    if (request.operation !== 'exchangeInfo') await this.ensureLimits(options);
    if (isSingleAttempt) return this.attempt(request, options);
    return retryRead(request.operation, (each) => this.attempt(request, each), {
      ...{ ...this.options, ...options },
      readTime: (each) => this.attempt(infoRequest, each),
    });
  }

  /** Section 4.7: the limits are kept from then on. */
  async readInfo(options?: ReadOptions): Promise<Decoded<ExchangeInformation>> {
    const information = await this.read(infoRequest, options);
    this.options.onExchangeInfo(information.value);
    return information;
  }

  /** Reserves the weight of a write, within `waitMs`. Who does not send it completes it as `unsent`. */
  reserveWrite(
    operation: OperationName,
    wait: Pick<WeightRequest, 'waitMs'> & { readonly signal?: AbortSignal },
  ): Promise<Reservation> {
    const { signal, ...options } = { priority: 'cancel', ...wait } as const;
    return this.admit(operation, { ...options, holdMs: maxHoldMs }, signal);
  }

  /** Sends a write once, whatever happens. It cannot be aborted: half a write is unknown. */
  write<Value>(request: OperationRequest<Value>, reserved: Reservation): Promise<Decoded<Value>> {
    return this.attempt(request, { priority: 'cancel' }, reserved);
  }

  /**
   * All requests before the limits are known wait for one answer, and none of them can abort it for
   * the others. The reads of a cancel-all wait for it only if no limits were ever known, and not
   * for long.
   */
  private async ensureLimits({ priority, signal }: SendOptions): Promise<void> {
    const { rateLimiter, recallLimits, clock } = this.options;
    const isUrgent = priority === 'cancel';
    if (!rateLimiter.knowsLimits) recallLimits();
    if (isUrgent && rateLimiter.knowsLimits) return;
    const asked = rateLimiter.ensureLimits(() => this.readInfo({ priority: 'refresh' }));
    await abortable(isUrgent ? withinOrUndefined(clock, urgentLimitsWaitMs, asked) : asked, signal);
  }

  /** Waits for the weight of a request that may be sent. */
  private admit(
    operation: OperationName,
    { holdMs = 0, ...need }: Pick<WeightRequest, 'priority' | 'waitMs'> & { holdMs?: number },
    signal: AbortSignal | undefined,
  ): Promise<Reservation> {
    const { writer, rateLimiter, deadlineMs } = this.options;
    writer.assertSendable(operation);
    const { weight } = operations[operation];
    const maxDurationMs = holdMs + deadlineMs;
    return rateLimiter.acquire({ ...need, operation, weight, maxDurationMs }, signal);
  }

  /**
   * Sends a request once; the reservation of its weight ends here. Throws ExchangeError, or the signal's
   * reason when the caller aborted.
   */
  private async attempt<Value>(
    { operation, pairs = [], decoder }: OperationRequest<Value>,
    { priority, signal, attempt = 1, budget }: SendOptions,
    reserved?: Reservation,
  ): Promise<Decoded<Value>> {
    const { clock, serverClock, deadlineMs, overLimitStatuses, redactor } = this.options;
    const reservation = reserved ?? (await this.admit(operation, { priority }, signal));
    // Nothing may be awaited between this and the sending: an abort meanwhile would leave the weight charged.
    if (signal?.aborted) reservation.complete({ kind: 'unsent' });
    signal?.throwIfAborted();
    const [startedAt, endSpan, { aheadMs }] = [clock.steadyNow(), startSpan(clock), serverClock];
    const durationMs = Math.min(budget?.leftMs ?? deadlineMs, deadlineMs);
    const deadline = startDeadline(clock, durationMs, signal);
    let end: unknown;
    try {
      const response = await this.signAndFetch(operation, pairs, deadline.signal);
      const { status, headers } = response;
      const span = endSpan();
      serverClock.rememberDate(headers, span);
      reservation.complete(sendResultOf(response, overLimitStatuses, serverClock.now()));
      const body = await this.readAnswer(operation, response, aheadMs, deadline.signal);
      reservation.succeed();
      serverClock.setFromDate(headers, span);
      if (operation === 'exchangeInfo') serverClock.setFromServerTime(body, endSpan());
      end = status;
      return decodeBody(operation, decoder, { status, body }, redactor);
    } catch (error) {
      reservation.complete(sendResultOfError(error));
      end = wasAbortedByCaller(deadline.signal) ? deadline.signal.reason : error;
      throw end;
    } finally {
      deadline.dispose();
      const tookMs = clock.steadyNow() - startedAt;
      budget?.spend(tookMs);
      this.options.onRequest?.(toLogEntry(operation, pairs, priority, attempt, tookMs, end));
    }
  }

  /** Signs at the last moment, as a request may have waited long for its weight. Gives the response's head. */
  private async signAndFetch(
    operation: OperationName,
    pairs: QueryPairs,
    signal: AbortSignal,
  ): Promise<FetchResponse> {
    const { writer, serverClock } = this.options;
    try {
      const { url, ...request } = writer.write(operation, pairs, serverClock.now());
      return await this.options.fetch(url, { ...request, redirect: 'manual', signal });
    } catch (error) {
      throw this.connectionError({ operation }, error, signal);
    }
  }

  /** The body of an answer that names no error. */
  private async readAnswer(
    operation: OperationName,
    response: FetchResponse,
    aheadMs: number,
    signal: AbortSignal,
  ): Promise<JsonValue> {
    const { serverClock, redactor, overLimitStatuses, maxBodyBytes } = this.options;
    const place = { operation, status: response.status, sent: 'yes' } as const;
    const fail = (failure: ResponseFailure): ExchangeError => {
      const error = redactor.toError({ ...place, ...failure });
      this.correctClockAfterWrite(error.failure, aheadMs);
      return error;
    };
    const reading = readBody(operation, response, maxBodyBytes);
    if (!isSuccess(response)) {
      // The status of an error says enough: its body may be cut, too large or no text.
      const text = await reading.catch(() => '');
      throw fail(failureFromStatus(response, text, overLimitStatuses, serverClock.now()));
    }
    const text = await reading.catch((error: unknown) => {
      throw this.connectionError(place, error, signal);
    });
    const body = parseBody(text, fail);
    const failure = failureFromBody(response, body, serverClock.now());
    if (failure) throw fail(failure);
    return body;
  }

  /** A write that is refused, perhaps for its time, is not signed again: it corrects the clock for the next. */
  private correctClockAfterWrite(failure: Failure, aheadMs: number): void {
    const { serverClock, writer } = this.options;
    const { operation } = failure;
    if (isRead(operation) || !writer.sendsTimestamp(operation)) return;
    const isFor401 = failure.status === 401 && !failure.isFromGateway;
    if (isFor401 || isTimestampRejected(failure)) serverClock.moveOn(aheadMs);
  }

  /** The failure of a connection, or of our deadline. */
  private connectionError(
    place: Pick<Failure, 'operation'> & Partial<Failure>,
    error: unknown,
    signal: AbortSignal,
  ): ExchangeError {
    if (error instanceof ExchangeError) return error;
    const failure = connectionFailure(error);
    const ended = signal.aborted ? ({ kind: 'timeout', sent: failure.sent } as const) : failure;
    return this.options.redactor.toError({ ...ended, ...place });
  }
}

/** Our own deadline is a failure of the exchange. */
function wasAbortedByCaller({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DeadlineExceeded);
}

/**
 * What a response's head means for the weight; the server has counted the request by then. After a
 * rate-limit refusal the pause covers what others spent: it lasts until there is room again, and to
 * charge that weight for one of our windows would hold up a cancel-all longer.
 */
function sendResultOf(
  response: FetchResponse,
  overLimitStatuses: readonly number[],
  nowMs: number,
): SendResult {
  const pause = requestedPause(response, overLimitStatuses, nowMs);
  const isOverLimit = overLimitStatuses.includes(response.status);
  if (pause) return { kind: isOverLimit ? 'limited' : 'paused', ...pause };
  const usedWeights = readUsedWeights(response.headers);
  // Nothing shows whether `fetch` sent a request again after 421: it counts as if it had.
  return { kind: 'answered', usedWeights, timesSent: response.status === 421 ? 2 : 1 };
}

/** The same of a request that failed; after a head only a passed limit adds to what that meant. */
function sendResultOfError(error: unknown): SendResult {
  if (!(error instanceof ExchangeError)) return { kind: 'unanswered' };
  const { kind, sent, retryAfterMs } = error.failure;
  if (kind === 'rateLimited') return { kind: 'limited', retryAfterMs };
  return { kind: sent === 'no' ? 'unsent' : 'unanswered' };
}
