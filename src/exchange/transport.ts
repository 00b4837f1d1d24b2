import type { Phrase } from '../base/phrase.ts';
import type { Clock } from '../base/clock.ts';
import { DeadlinePassed, within } from '../base/deadline.ts';
import { endingOf, parseAnswer, type Understand } from './answer.ts';
import { readBody } from './body.ts';
import { ClockOffset } from './clockOffset.ts';
import { connectionFailure } from './connection.ts';
import { defaultDialect, type QueryPairs } from './dialect/dialect.ts';
import { ExchangeError, type Failure } from './errors.ts';
import { answerFailure, isSuccess, statusFailure, type FailureFacts } from './failures.ts';
import type { Fetch, FetchResponse } from './fetch.ts';
import type { JsonValue } from './json.ts';
import type { Reservation, WeightLedger } from './ledger/weightLedger.ts';
import { operations, type OperationName } from './operations.ts';
import { isRead, Reads, type Sending } from './reads.ts';
import { recordOf, type RequestRecord } from './requestRecord.ts';
import { RequestWriter, type RequestWriterOptions } from './requestWriter.ts';
import { tellable, tellableError, tellablePhrase } from './telling.ts';

export type TransportOptions = RequestWriterOptions & {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Lets each request go when there is weight for it. */
  readonly ledger: WeightLedger;
  readonly onRequest?: (record: RequestRecord) => void;
  /** For one request and its whole body, from the sending on. */
  readonly deadlineMs?: number;
  readonly maxBodyBytes?: number;
  /** The statuses that say that the limit was passed. */
  readonly overLimitStatuses?: readonly number[];
  /** In [0, 1): spreads the pauses before a read is sent again. */
  readonly random?: () => number;
};

const defaults = {
  deadlineMs: 20_000,
  // A page of 10 000 rows has 3 MB; a bomb of many times the cap costs about four times the cap.
  maxBodyBytes: 8 * 1024 * 1024,
  overLimitStatuses: defaultDialect.overLimitStatuses,
  random: Math.random,
};

/** The only place that speaks HTTP: never follows a redirect, bounds time and size. */
export class Transport {
  private readonly options: TransportOptions & typeof defaults;
  private readonly clockOffset = new ClockOffset();
  private readonly writer: RequestWriter;
  private readonly reads: Reads;

  constructor(options: TransportOptions) {
    this.options = { ...defaults, ...options };
    this.writer = new RequestWriter(options);
    const { clock, random, deadlineMs } = this.options;
    this.reads = new Reads({
      clock,
      clockOffset: this.clockOffset,
      random,
      deadlineMs,
      isTimed: (name) => this.writer.isTimed(name),
      sendOnce: (...sending) => this.sendOnce(...sending),
    });
  }

  /** How far the exchange's clock is ahead of ours, as far as its answers show, in milliseconds. */
  get clockAheadMs(): number {
    return this.clockOffset.aheadMs;
  }

  /** What every request of this transport is booked in. */
  get ledger(): WeightLedger {
    return this.options.ledger;
  }

  /** The exchange's time in epoch milliseconds. */
  serverNow(): number {
    return this.options.clock.now() + this.clockAheadMs;
  }

  /** A server's text made fit to be told: without a trace of the credentials, clean, and cut. */
  tellable(words: Phrase): Phrase {
    return tellablePhrase(words, this.options.credentials);
  }

  /** A server's text by itself, likewise. */
  tellableText(text: string): string {
    return tellable(text, this.options.credentials);
  }

  /**
   * Waits for weight, sends a request and gives what `understand` makes of its answer. Throws
   * ExchangeError, or the signal's reason when the caller aborted. A read may be sent again, as `Reads`
   * says; a write never is.
   */
  send<Value>(
    name: OperationName,
    pairs: QueryPairs,
    sending: Sending,
    understand: Understand<Value>,
  ): Promise<Value> {
    return isRead(name) && !sending.isOnce
      ? this.reads.send(name, pairs, sending, understand)
      : this.sendOnce(name, pairs, sending, 1, understand);
  }

  private async sendOnce<Value>(
    name: OperationName,
    pairs: QueryPairs,
    sending: Sending,
    attempt: number,
    understand: Understand<Value>,
  ): Promise<Value> {
    this.writer.refuse(name);
    const { clock, deadlineMs, onRequest } = this.options;
    const reservation = await this.reserve(name, sending);
    // Nothing may be awaited between this and the sending: an abort meanwhile would leave it booked.
    if (sending.signal?.aborted) reservation.end({ kind: 'unsent' });
    sending.signal?.throwIfAborted();
    const sentAtMs = clock.now();
    let end: unknown;
    try {
      const { status, answer } = await within(clock, deadlineMs, sending.signal, (ending) =>
        this.exchange(name, pairs, reservation, ending),
      );
      end = status;
      const span = { sentAtMs, receivedAtMs: clock.now() };
      if (name === 'exchangeInfo') this.clockOffset.noteInformation(answer, span);
      return understand(answer, status);
    } catch (error) {
      end = error;
      throw error;
    } finally {
      onRequest?.(recordOf(name, pairs, attempt, clock.now() - sentAtMs, end));
    }
  }

  private reserve(name: OperationName, { priority, signal }: Sending): Promise<Reservation> {
    const { ledger, deadlineMs: longestMs } = this.options;
    const { weight } = operations[name];
    return ledger.acquire({ operation: name, weight, priority, longestMs }, signal);
  }

  /** One request and its whole answer. */
  private async exchange(
    name: OperationName,
    pairs: QueryPairs,
    reservation: Reservation,
    ending: AbortSignal,
  ): Promise<{ readonly status: number; readonly answer: JsonValue }> {
    const response = await this.ask(name, pairs, reservation, ending);
    const { status } = response;
    const { clock, overLimitStatuses } = this.options;
    const fail = (facts: FailureFacts): ExchangeError => {
      const { kind, retryAfterMs } = facts;
      const isNewsOfLimit = kind === 'rateLimited' && !overLimitStatuses.includes(status);
      if (isNewsOfLimit) reservation.end({ kind: 'limited', retryAfterMs });
      return this.failure({ operation: name, sent: 'yes', status, ...facts });
    };
    if (!isSuccess(response)) {
      const text = await this.readBody(name, response, ending).catch(onlyCostsTheWords);
      throw fail(statusFailure(response, text, overLimitStatuses, clock.now()));
    }
    const text = await this.readBody(name, response, ending);
    const answer = parseAnswer(name, status, text);
    const facts = answerFailure(response, answer, clock.now());
    if (facts) throw fail(facts);
    return { status, answer };
  }

  /** Signs at the last moment, as a request may have waited long for its weight; gives the answer's head. */
  private async ask(
    name: OperationName,
    pairs: QueryPairs,
    reservation: Reservation,
    ending: AbortSignal,
  ): Promise<FetchResponse> {
    const { clock, overLimitStatuses } = this.options;
    const sentAtMs = clock.now();
    try {
      const written = this.writer.write(name, pairs, sentAtMs + this.clockOffset.aheadMs);
      const { url, ...request } = written;
      const wishes = { ...request, redirect: 'manual', signal: ending } as const;
      const response = await this.options.fetch(url, wishes);
      const receivedAtMs = clock.now();
      this.clockOffset.noteDate(response.headers.get('date'), { sentAtMs, receivedAtMs });
      reservation.end(endingOf(response, overLimitStatuses, receivedAtMs));
      return response;
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
    return this.failure({ operation, ...facts });
  }

  private failure(failure: Failure): ExchangeError {
    return tellableError(failure, this.options.credentials);
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
