import { cleanText } from '../base/cleanText.ts';
import type { Clock } from '../base/clock.ts';
import { credentialsProblem } from './auth/credentialCheck.ts';
import { isTimed, schemeProblem } from './auth/recipes.ts';
import { scrub } from './auth/scrub.ts';
import { sign } from './auth/sign.ts';
import type { AuthScheme, Credentials } from './auth/scheme.ts';
import { defaultSignedOperations } from './auth/signedOperations.ts';
import { readBody } from './body.ts';
import { ClockOffset, serverTimeOf } from './clockOffset.ts';
import type { QueryPairs } from './dialect/dialect.ts';
import { ExchangeError, type Failure } from './errors.ts';
import type { Fetch, FetchRequest, FetchResponse } from './fetch.ts';
import { parseJson, type JsonValue } from './json.ts';
import { connectionFailure, isRefusedForTime, pauseAsked, statusFailure } from './failures.ts';
import type { Ending } from './ledger/books.ts';
import type { Priority } from './ledger/priority.ts';
import { usedWeight } from './ledger/usedWeight.ts';
import type { Reservation, WeightLedger } from './ledger/weightLedger.ts';
import { operations, type OperationName } from './operations.ts';

/** What a log may know of a request: no value of a parameter, no header, no body. */
export type RequestRecord = {
  readonly method: string;
  readonly path: string;
  readonly parameterNames: readonly string[];
  /** HTTP status, or the kind of the failure where there was none. */
  readonly result: string;
  /** From the sending on, without the wait for weight. */
  readonly durationMs: number;
  /** What it cost against the limit (section 8); 0 when it never left. */
  readonly weight: number;
};

export type TransportOptions = {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly credentials: Credentials;
  /** The operations that are signed; unless given, what the table of operations says. */
  readonly signedOperations?: readonly OperationName[];
  /** Refuses whatever would change something at the exchange. */
  readonly readOnly?: boolean;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Lets each request go when there is weight for it. */
  readonly ledger: WeightLedger;
  readonly onRequest?: (record: RequestRecord) => void;
  /** For one request and its whole body, from the sending on. */
  readonly deadlineMs?: number;
  readonly maxBodyBytes?: number;
};

/** Whose turn it is when weight is short, and what ends the wait and the request. */
export type Sending = { readonly priority: Priority; readonly signal?: AbortSignal | undefined };

const longestWords = 300;
const defaultDeadlineMs = 20_000;
const defaultMaxBodyBytes = 32 * 1024 * 1024;

/** The only place that speaks HTTP: signs, never follows a redirect, bounds time and size. */
export class Transport {
  private readonly options: TransportOptions;
  private readonly clockOffset = new ClockOffset();

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /** What every request of this transport is booked in. */
  get ledger(): WeightLedger {
    return this.options.ledger;
  }

  /** How far the exchange's clock is ahead of ours, as far as its answers show. */
  get clockAheadMs(): number {
    return this.clockOffset.aheadMs;
  }

  /** A server's text made fit to be told: no form of the credentials, nothing invisible, then cut. */
  tellable(text: string): string {
    return cleanText(scrub(text, this.options.credentials), longestWords);
  }

  /**
   * Waits for weight, sends a request and parses its answer. Throws ExchangeError, or the signal's
   * reason when the caller aborted. Sends once; only a read that was refused for its time, and so
   * came to nothing, is signed and sent once more, when exchange information shows that the time was
   * wrong.
   */
  async send(name: OperationName, pairs: QueryPairs, sending: Sending): Promise<JsonValue> {
    const { aheadMs } = this.clockOffset;
    try {
      return await this.sendOnce(name, pairs, sending);
    } catch (error) {
      if (!this.mayBeOutOfTime(name, error)) throw error;
      await this.resynchronise(sending);
      if (this.clockOffset.aheadMs === aheadMs) throw error;
      return await this.sendOnce(name, pairs, sending);
    }
  }

  private mayBeOutOfTime(name: OperationName, error: unknown): boolean {
    const isRead = operations[name].method === 'GET';
    if (!isRead || !isTimed(this.schemeFor(name))) return false;
    return error instanceof ExchangeError && isRefusedForTime(error.failure);
  }

  /** Asks for the server's time; goes by the header `Date` where exchange information has none. */
  private async resynchronise(sending: Sending): Promise<void> {
    try {
      const information = await this.sendOnce('exchangeInfo', [], sending);
      if (serverTimeOf(information) !== undefined) return;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
    }
    this.clockOffset.goByDate();
  }

  private async sendOnce(
    name: OperationName,
    pairs: QueryPairs,
    sending: Sending,
  ): Promise<JsonValue> {
    this.refuse(name);
    const reservation = await this.reserve(name, sending);
    const startedAt = this.options.clock.now();
    let result = 'aborted';
    let { weight }: { weight: number } = operations[name];
    try {
      const { status, text } = await this.exchange(name, pairs, reservation, sending.signal);
      result = String(status);
      const answer = parseAnswer(name, status, text);
      const receivedAtMs = this.options.clock.now();
      if (name === 'exchangeInfo')
        this.clockOffset.noteInformation(answer, { sentAtMs: startedAt, receivedAtMs });
      return answer;
    } catch (error) {
      if (error instanceof ExchangeError) {
        const { status, kind, sent } = error.failure;
        result = `${status ?? ''} ${kind}`.trim();
        if (sent === 'no') weight = 0;
      }
      throw error;
    } finally {
      const { method, path } = operations[name];
      const durationMs = this.options.clock.now() - startedAt;
      const parameterNames = pairs.map(([parameter]) => parameter);
      this.options.onRequest?.({ method, path, parameterNames, result, durationMs, weight });
    }
  }

  private async reserve(name: OperationName, { priority, signal }: Sending): Promise<Reservation> {
    const { ledger, deadlineMs: longestMs = defaultDeadlineMs } = this.options;
    const { weight } = operations[name];
    const request = { operation: name, weight, priority, longestMs };
    const reservation = await ledger.acquire(request, signal);
    if (signal?.aborted) reservation.end({ kind: 'unsent' });
    signal?.throwIfAborted();
    return reservation;
  }

  private async exchange(
    name: OperationName,
    pairs: QueryPairs,
    reservation: Reservation,
    signal?: AbortSignal,
  ) {
    const { deadlineMs = defaultDeadlineMs, maxBodyBytes = defaultMaxBodyBytes } = this.options;
    const deadline = AbortSignal.timeout(deadlineMs);
    const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
    let status: number | undefined;
    let left = false;
    try {
      const [url, headers] = this.address(name, pairs);
      const { method } = operations[name];
      const request = { method, headers, redirect: 'manual', signal: ending };
      left = true;
      const sentAtMs = this.options.clock.now();
      const response = await this.options.fetch(url, request as FetchRequest);
      const receivedAtMs = this.options.clock.now();
      this.clockOffset.noteDate(response.headers.get('date'), { sentAtMs, receivedAtMs });
      status = response.status;
      reservation.end(endingOf(response, this.options.clock.now()));
      const text = await readBody(response.body, maxBodyBytes);
      const facts = statusFailure(response, text, this.options.clock.now());
      if (facts) throw this.failure({ operation: name, sent: 'yes', status, ...facts });
      return { status, text };
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      if (!left) reservation.end({ kind: 'unsent' });
      if (!left) throw notSent(name, 'the request could not be signed with these credentials');
      const facts = ending.aborted ? deadlinePassed : connectionFailure(error);
      if (status === undefined)
        reservation.end({ kind: facts.sent === 'no' ? 'unsent' : 'unanswered' });
      signal?.throwIfAborted();
      const answered = status === undefined ? {} : ({ status, sent: 'yes' } as const);
      throw this.failure({ operation: name, ...facts, ...answered });
    }
  }

  /**
   * A failure without a trace of the credentials. It keeps no cause: those of a fetch hold the URL
   * with its signature, or the header that could not be sent.
   */
  private failure(failure: Failure): ExchangeError {
    const { serverWords, detail } = failure;
    return new ExchangeError({
      ...failure,
      ...(serverWords === undefined ? {} : { serverWords: this.tellable(serverWords) }),
      ...(detail === undefined ? {} : { detail: this.tellable(detail) }),
    });
  }

  /** Throws for what is never sent: a write of a read-only profile, and what cannot be signed as it should be. */
  private refuse(name: OperationName): void {
    if (this.options.readOnly && operations[name].method !== 'GET')
      throw notSent(name, 'the profile is read-only; its setting readOnly allows no write');
    const scheme = this.schemeFor(name);
    const problem = schemeProblem(scheme) ?? credentialsProblem(scheme, this.options.credentials);
    if (problem !== undefined) throw notSent(name, problem);
  }

  /** Signs at the last moment: a request may have waited long for its weight. */
  private address(name: OperationName, pairs: QueryPairs): [string, Record<string, string>] {
    const { baseUrl, credentials, clock } = this.options;
    const { method, path } = operations[name];
    const request = { method, url: `${baseUrl}${path}`, pairs };
    const nowMs = clock.now() + this.clockOffset.aheadMs;
    const { query, headers } = sign(this.schemeFor(name), credentials, request, nowMs);
    return [
      `${request.url}${query === '' ? '' : `?${query}`}`,
      { accept: 'application/json', ...headers },
    ];
  }

  private schemeFor(name: OperationName): AuthScheme {
    const { auth, signedOperations = defaultSignedOperations } = this.options;
    return signedOperations.includes(name) ? auth : { scheme: 'none' };
  }
}

function notSent(operation: OperationName, detail: string): ExchangeError {
  return new ExchangeError({ kind: 'configuration', sent: 'no', operation, detail });
}

/** What an answer's head means for the weight; the server has counted the request by then. */
function endingOf(response: FetchResponse, nowMs: number): Ending {
  const pause = pauseAsked(response, nowMs);
  return pause
    ? { kind: 'limited', retryAfterMs: pause.retryAfterMs }
    : { kind: 'answered', usedWeight: usedWeight(response.headers) };
}

const deadlinePassed = { kind: 'timeout', sent: 'maybe' } as const;

function parseAnswer(operation: OperationName, status: number, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    const detail = `the answer is ${/^\s*</.test(text) ? 'an HTML page' : 'no JSON'}`;
    throw new ExchangeError({ kind: 'malformed', sent: 'yes', operation, status, detail });
  }
}
