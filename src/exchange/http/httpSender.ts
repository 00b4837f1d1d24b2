import { setImmediate } from 'node:timers/promises';
import { DeadlineExceeded } from '../../base/abort.ts';
import { JsonTooComplex, parseJson, type JsonValue } from '../../base/exactJson.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import type { Clock } from '../../base/time.ts';
import type { QueryPairs } from '../conventions/queryWriter.ts';
import { ExchangeError, type Failure } from '../exchangeError.ts';
import { isRead, type OperationName } from '../../api/operations.ts';
import { readUsedWeights } from '../rateLimit/limits.ts';
import type { Reservation } from '../rateLimit/rateLimiter.ts';
import type { SendResult } from '../rateLimit/rateLimitState.ts';
import { BodyTooLarge, connectionFailure } from './connectionFailure.ts';
import { readErrorBody, type ServerError } from './errorBody.ts';
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
import type { RequestWriter } from './requestWriter.ts';
import { startSpan, type RequestSpan, type ServerClock } from './serverClock.ts';
import { UsedExchangeInfo } from './usedExchangeInfo.ts';

export type HttpSenderOptions = {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly writer: RequestWriter;
  readonly redactor: Redactor;
  readonly maxBodyBytes: number;
  /** The statuses that say that the rate limit was exceeded. */
  readonly overLimitStatuses: readonly number[];
};

/** How many times as large as other bodies exchange information may be. */
const maxInfoBodies = 4;
/** Larger exchange information would block the window while it is parsed. */
const maxWholeInfoBytes = 1024 * 1024;

/** A response whose body is JSON and names no error. */
export type JsonResponse = { readonly status: number; readonly body: JsonValue };

/** The head of a response, and how far the exchange's clock was ahead when its request was signed. */
type AnsweredRequest = {
  readonly response: FetchResponse;
  readonly span: RequestSpan;
  readonly aheadMs: number;
};

/** One HTTP request and its whole response. Never follows a redirect, and bounds what it reads. */
export class HttpSender {
  private readonly options: HttpSenderOptions;

  constructor(options: HttpSenderOptions) {
    this.options = options;
  }

  /**
   * Sends an operation once and completes its reservation. Rejects with ExchangeError, even when
   * `signal` was aborted by a deadline; otherwise with the signal's reason.
   */
  async send(
    operation: OperationName,
    pairs: QueryPairs,
    reservation: Reservation,
    signal: AbortSignal,
  ): Promise<JsonResponse> {
    const answered = await this.fetchHead(operation, pairs, reservation, signal);
    const { response, span, aheadMs } = answered;
    const { status, headers } = response;
    const { serverClock, overLimitStatuses, redactor } = this.options;
    const fail = (failure: ResponseFailure): ExchangeError => {
      const { kind, retryAfterMs } = failure;
      if (kind === 'rateLimited') reservation.complete({ kind: 'limited', retryAfterMs });
      const error = redactor.toError({ operation, sent: 'yes', status, ...failure });
      this.correctClockAfterWrite(error.failure, aheadMs);
      return error;
    };
    if (!isSuccess(response)) {
      const text = await this.readBody(operation, response, signal).catch(ignoreUnreadableBody);
      throw fail(failureFromStatus(response, text, overLimitStatuses, serverClock.now()));
    }
    const body = parseBody(await this.readBody(operation, response, signal), fail);
    const failure = failureFromBody(response, body, serverClock.now());
    if (failure) throw fail(failure);
    reservation.succeed();
    serverClock.setFromDate(headers, span);
    return { status, body };
  }

  /** Signs at the last moment, as a request may have waited long for its weight. Gives the response's head. */
  private async fetchHead(
    operation: OperationName,
    pairs: QueryPairs,
    reservation: Reservation,
    signal: AbortSignal,
  ): Promise<AnsweredRequest> {
    const { clock, serverClock, writer, overLimitStatuses } = this.options;
    const endSpan = startSpan(clock);
    const { aheadMs } = serverClock;
    try {
      const { url, ...request } = writer.write(operation, pairs, serverClock.now());
      const head = { ...request, redirect: 'manual', signal } as const;
      const response = await this.options.fetch(url, head);
      const span = endSpan();
      serverClock.rememberDate(response.headers, span);
      reservation.complete(sendResultOf(response, overLimitStatuses, serverClock.now()));
      return { response, span, aheadMs };
    } catch (error) {
      const failure = this.toTransportError(operation, error, signal);
      const neverLeft = failure.failure.sent === 'no';
      reservation.complete({ kind: neverLeft ? 'unsent' : 'unanswered' });
      throwIfCallerAborted(signal);
      throw failure;
    }
  }

  /** A write that is refused, perhaps for its time, is not signed again: it corrects the clock for the next. */
  private correctClockAfterWrite(failure: Failure, aheadMs: number): void {
    const { serverClock, writer } = this.options;
    const { operation } = failure;
    if (isRead(operation) || !writer.sendsTimestamp(operation)) return;
    const isFor401 = failure.status === 401 && !failure.isFromGateway;
    if (isFor401 || isTimestampRejected(failure)) serverClock.moveOn(aheadMs);
  }

  /**
   * Reads a body as UTF-8, and stops once it has given more than the cap, decompressed. Exchange
   * information may be larger; of a large one it gives only what is used.
   */
  private async readBody(
    operation: OperationName,
    { status, body }: FetchResponse,
    signal: AbortSignal,
  ): Promise<string> {
    const isInfo = operation === 'exchangeInfo';
    const maxBytes = this.options.maxBodyBytes * (isInfo ? maxInfoBodies : 1);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const used = new UsedExchangeInfo();
    let [text, size] = ['', 0];
    try {
      for await (const chunk of body ?? []) {
        size += chunk.byteLength;
        if (size > maxBytes) throw new BodyTooLarge(maxBytes);
        text += decoder.decode(chunk, { stream: true });
        if (!isInfo || size <= maxWholeInfoBytes) continue;
        used.add(text);
        text = '';
        // Parts that are there already would be read in one turn.
        await setImmediate();
      }
      text += decoder.decode();
      if (size <= maxWholeInfoBytes || !isInfo) return text;
      used.add(text);
      return used.text;
    } catch (error) {
      throwIfCallerAborted(signal);
      const { failure } = this.toTransportError(operation, error, signal);
      throw new ExchangeError({ ...failure, status, sent: 'yes' });
    }
  }

  private toTransportError(
    operation: OperationName,
    error: unknown,
    signal: AbortSignal,
  ): ExchangeError {
    if (error instanceof ExchangeError) return error;
    const failure = connectionFailure(error);
    const ended = signal.aborted ? ({ kind: 'timeout', sent: failure.sent } as const) : failure;
    return this.options.redactor.toError({ operation, ...ended });
  }
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

/** Throws the caller's reason; our own deadline is a failure of the exchange. */
function throwIfCallerAborted(signal: AbortSignal): void {
  if (signal.aborted && !(signal.reason instanceof DeadlineExceeded)) signal.throwIfAborted();
}

/** The status of an error says enough: its body may be cut, too large or no text. */
function ignoreUnreadableBody(error: unknown): string {
  if (error instanceof ExchangeError) return '';
  throw error;
}

/**
 * The body of a response as JSON. Otherwise throws what `fail` makes of it: what the body is instead,
 * and its text only if that is plain words, as half of a response may hold anything.
 */
function parseBody(text: string, fail: (failure: ResponseFailure) => ExchangeError): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const isEmpty = text.trim() === '';
    const detail = isEmpty
      ? phrase('empty answer')
      : phrase('the answer is {0}', describeBody(text, error));
    throw fail({ kind: 'malformed', detail, ...plainTextOf(text) });
  }
}

function plainTextOf(text: string): ServerError {
  return /^\s*\p{L}/u.test(text) && !/["{}[\]]/.test(text) ? readErrorBody(text) : {};
}

function describeBody(text: string, error: unknown): Phrase {
  if (error instanceof JsonTooComplex) return error.problem;
  return /^\s*</.test(text) ? phrase('an HTML page') : phrase('not JSON');
}
