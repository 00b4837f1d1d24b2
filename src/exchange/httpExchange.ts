import type { Clock } from '../base/clock.ts';
import { DeadlinePassed } from '../base/deadline.ts';
import { endingOf, parseAnswer } from './answer.ts';
import { readBody } from './body.ts';
import type { ClockOffset, Span } from './clockOffset.ts';
import { connectionFailure } from './connection.ts';
import type { QueryPairs } from './dialect/dialect.ts';
import { ExchangeError, type Failure } from './errors.ts';
import { answerFailure, isSuccess, statusFailure, type FailureFacts } from './failures.ts';
import type { Fetch, FetchResponse } from './fetch.ts';
import type { JsonValue } from './json.ts';
import type { Reservation } from './ledger/weightLedger.ts';
import type { OperationName } from './operations.ts';
import type { RequestWriter } from './requestWriter.ts';

export type HttpExchangeOptions = {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly clockOffset: ClockOffset;
  readonly writer: RequestWriter;
  /** Makes a failure fit to be told. */
  readonly told: (failure: Failure) => ExchangeError;
  readonly maxBodyBytes: number;
  /** The statuses that say that the limit was passed. */
  readonly overLimitStatuses: readonly number[];
};

/** An answer that is JSON and tells no error. */
export type Answer = { readonly status: number; readonly answer: JsonValue };

/** One request over HTTP and its whole answer: never follows a redirect, bounds what it reads. */
export class HttpExchange {
  private readonly options: HttpExchangeOptions;

  constructor(options: HttpExchangeOptions) {
    this.options = options;
  }

  /**
   * Sends an operation once and ends its reservation. Rejects with ExchangeError, also when `ending`
   * ended for a deadline; otherwise with the reason of `ending`.
   */
  async send(
    name: OperationName,
    pairs: QueryPairs,
    reservation: Reservation,
    ending: AbortSignal,
  ): Promise<Answer> {
    const { response, span } = await this.ask(name, pairs, reservation, ending);
    const { status, headers } = response;
    const { clock, clockOffset, overLimitStatuses } = this.options;
    const fail = (facts: FailureFacts): ExchangeError => {
      const { kind, retryAfterMs } = facts;
      const isNewsOfLimit = kind === 'rateLimited' && !overLimitStatuses.includes(status);
      if (isNewsOfLimit) reservation.end({ kind: 'limited', retryAfterMs });
      return this.options.told({ operation: name, sent: 'yes', status, ...facts });
    };
    if (!isSuccess(response)) {
      const text = await this.readBody(name, response, ending).catch(onlyCostsTheWords);
      throw fail(statusFailure(response, text, overLimitStatuses, clock.now()));
    }
    const text = await this.readBody(name, response, ending);
    const answer = parseAnswer(text, fail);
    const facts = answerFailure(response, answer, clock.now());
    if (facts) throw fail(facts);
    clockOffset.trustDate(headers, span);
    return { status, answer };
  }

  /** Signs at the last moment, as a request may have waited long for its weight; gives the answer's head. */
  private async ask(
    name: OperationName,
    pairs: QueryPairs,
    reservation: Reservation,
    ending: AbortSignal,
  ): Promise<{ readonly response: FetchResponse; readonly span: Span }> {
    const { clock, clockOffset, overLimitStatuses } = this.options;
    const sentAtMs = clock.now();
    try {
      const written = this.options.writer.write(name, pairs, sentAtMs + clockOffset.aheadMs);
      const { url, ...request } = written;
      const wishes = { ...request, redirect: 'manual', signal: ending } as const;
      const response = await this.options.fetch(url, wishes);
      const span = { sentAtMs, receivedAtMs: clock.now() };
      clockOffset.noteDate(response.headers, span);
      reservation.end(endingOf(response, overLimitStatuses, span.receivedAtMs));
      return { response, span };
    } catch (error) {
      const failure = this.broken(name, error, ending);
      const neverLeft = failure.failure.sent === 'no';
      reservation.end({ kind: neverLeft ? 'unsent' : 'unanswered' });
      throwAbort(ending);
      throw failure;
    }
  }

  private async readBody(
    name: OperationName,
    { status, body }: FetchResponse,
    ending: AbortSignal,
  ): Promise<string> {
    try {
      return await readBody(body, this.options.maxBodyBytes);
    } catch (error) {
      throwAbort(ending);
      const { failure } = this.broken(name, error, ending);
      throw new ExchangeError({ ...failure, status, sent: 'yes' });
    }
  }

  private broken(operation: OperationName, error: unknown, ending: AbortSignal): ExchangeError {
    if (error instanceof ExchangeError) return error;
    const facts = ending.aborted ? deadlinePassed : connectionFailure(error);
    return this.options.told({ operation, ...facts });
  }
}

/** Throws the caller's reason; our own deadline is a failure of the exchange. */
function throwAbort(ending: AbortSignal): void {
  if (ending.aborted && !(ending.reason instanceof DeadlinePassed)) ending.throwIfAborted();
}

/** The status of an error says enough: its body may be cut, too large or no text. */
function onlyCostsTheWords(error: unknown): string {
  if (error instanceof ExchangeError) return '';
  throw error;
}

const deadlinePassed = { kind: 'timeout', sent: 'maybe' } as const;
