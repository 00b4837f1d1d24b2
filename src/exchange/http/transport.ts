import { startDeadline } from '../../base/abort.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import type { QueryPairs } from '../conventions/queryWriter.ts';
import type { BadRecord, Decoded } from '../badRecords.ts';
import { DecodeFailure, type Decoder } from '../decoders.ts';
import type { ExchangeError } from '../exchangeError.ts';
import { isRead, operations, type OperationName } from '../../api/operations.ts';
import type { Priority } from '../rateLimit/priority.ts';
import type { RateLimiter } from '../rateLimit/rateLimiter.ts';
import type { HttpSender, HttpSenderOptions, JsonResponse } from './httpSender.ts';
import type { Redactor } from './redactor.ts';
import { startSpan } from './serverClock.ts';
import { toLogEntry, type RequestLogEntry } from './requestLog.ts';
import { TimeBudget } from './retryPolicy.ts';

type TransportOptions = Pick<HttpSenderOptions, 'clock' | 'serverClock' | 'redactor' | 'writer'> & {
  readonly httpSender: HttpSender;
  /** Lets each request go when there is weight for it. */
  readonly rateLimiter: RateLimiter;
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** For one request and its whole body, from the sending on. */
  readonly deadlineMs: number;
};

/** An operation with its parameters as they are written, and how its response is decoded. */
export type OperationRequest<Value> = {
  readonly operation: OperationName;
  /** None unless given. */
  readonly pairs?: QueryPairs;
  readonly decoder: Decoder<Value>;
};

/** How to send one request. The signal aborts the wait for weight and the request. */
export type SendOptions = {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
  /** 1 for the first request of an operation. */
  readonly attempt?: number;
  /** What is left of the time that all attempts share; unless given, one deadline. */
  readonly budget?: TimeBudget;
};

/** Sends one request: when the rate limit has room, within a deadline, and never again. */
export class Transport {
  private readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /**
   * Waits for weight, sends the request once and decodes the response. Throws ExchangeError, or the
   * signal's reason when the caller aborted.
   */
  async send<Value>(
    { operation, pairs = [], decoder }: OperationRequest<Value>,
    {
      priority,
      signal,
      attempt = 1,
      budget = new TimeBudget(this.options.deadlineMs),
    }: SendOptions,
  ): Promise<Decoded<Value>> {
    const { clock, serverClock, writer, httpSender, redactor, rateLimiter, deadlineMs } =
      this.options;
    writer.assertSendable(operation);
    const { weight } = operations[operation];
    const request = { operation, weight, priority, maxDurationMs: deadlineMs };
    const reservation = await rateLimiter.acquire(request, signal);
    // Nothing may be awaited between this and the sending: an abort meanwhile would leave the weight charged.
    if (signal?.aborted) reservation.complete({ kind: 'unsent' });
    signal?.throwIfAborted();
    const endSpan = startSpan(clock);
    const startedAt = clock.steadyNow();
    const deadline = startDeadline(clock, Math.min(budget.leftMs, deadlineMs), signal);
    let end: unknown;
    try {
      const response = await httpSender.send(operation, pairs, reservation, deadline.signal);
      end = response.status;
      if (operation === 'exchangeInfo') serverClock.setFromServerTime(response.body, endSpan());
      return decodeResponse(operation, decoder, response, redactor);
    } catch (error) {
      end = error;
      throw error;
    } finally {
      deadline.dispose();
      const durationMs = clock.steadyNow() - startedAt;
      budget.spend(durationMs);
      this.options.onRequest?.(toLogEntry(operation, pairs, priority, attempt, durationMs, end));
    }
  }
}

/**
 * Decodes the response to an operation. Throws ExchangeError, `malformed`, if the response as a
 * whole is not what the API promises. All texts are redacted: they quote the server, which may repeat
 * a key.
 */
function decodeResponse<Value>(
  operation: OperationName,
  decoder: Decoder<Value>,
  { status, body }: JsonResponse,
  redactor: Redactor,
): Decoded<Value> {
  const malformed = (detail: string | Phrase): ExchangeError =>
    redactor.toError({ kind: 'malformed', sent: 'yes', operation, status, detail });
  // Another success, such as 202, does not say that a write was done.
  if (!isRead(operation) && status !== 200) throw malformed(`HTTP ${status}`);
  const badRecords: BadRecord[] = [];
  const value = decoder(body, '$', badRecords);
  if (value instanceof DecodeFailure) throw malformed(value.problem);
  return { value, badRecords: redactBadRecords(badRecords, redactor) };
}

/** Nobody reads more of them, and the words of 100 000 would block the window for seconds. */
const maxDescribedRecords = 100;

function redactBadRecords(
  badRecords: readonly BadRecord[],
  redactor: Redactor,
): readonly BadRecord[] {
  const more = badRecords.length - maxDescribedRecords;
  return badRecords.map(({ path, problem, ...rest }, index) => ({
    ...rest,
    path,
    problem:
      index < maxDescribedRecords ? redactor.redactPhrase(problem) : describeRest(path, more),
  }));
}

function describeRest(path: string, more: number): Phrase {
  return phrase(
    '{0} could not be read either (one of {1} that are counted but not listed)',
    path,
    more,
  );
}
