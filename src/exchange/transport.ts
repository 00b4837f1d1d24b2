import type { Clock } from '../base/clock.ts';
import { credentialsProblem } from './auth/credentialCheck.ts';
import { scrub } from './auth/scrub.ts';
import { sign } from './auth/sign.ts';
import type { AuthScheme, Credentials } from './auth/scheme.ts';
import { defaultSignedOperations } from './auth/signedOperations.ts';
import { readBody } from './body.ts';
import type { QueryPairs } from './dialect/dialect.ts';
import { ExchangeError, type Failure } from './errors.ts';
import type { Fetch, FetchRequest, FetchResponse } from './fetch.ts';
import { parseJson, type JsonValue } from './json.ts';
import { connectionFailure, pauseAsked, statusFailure } from './failures.ts';
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

const defaultDeadlineMs = 20_000;
const defaultMaxBodyBytes = 32 * 1024 * 1024;

/** The only place that speaks HTTP: signs, sends once, never follows a redirect, bounds time and size. */
export class Transport {
  private readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /** What every request of this transport is booked in. */
  get ledger(): WeightLedger {
    return this.options.ledger;
  }

  /** A text without any form of the credentials in it. */
  scrub(text: string): string {
    return scrub(text, this.options.credentials);
  }

  /**
   * Waits for weight, sends one request and parses its answer. Throws ExchangeError, or the signal's reason when the
   * caller aborted. Never sends twice.
   */
  async send(name: OperationName, pairs: QueryPairs, sending: Sending): Promise<JsonValue> {
    this.refuse(name);
    const reservation = await this.reserve(name, sending);
    const startedAt = this.options.clock.now();
    let result = 'aborted';
    let { weight }: { weight: number } = operations[name];
    try {
      const { status, text } = await this.exchange(name, pairs, reservation, sending.signal);
      result = String(status);
      return parseAnswer(name, status, text);
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
    const [url, headers] = this.address(name, pairs);
    const request = {
      method: operations[name].method,
      headers,
      redirect: 'manual',
      signal: ending,
    };
    let status: number | undefined;
    try {
      const response = await this.options.fetch(url, request as FetchRequest);
      status = response.status;
      reservation.end(endingOf(response, this.options.clock.now()));
      const text = await readBody(response.body, maxBodyBytes);
      const facts = statusFailure(response, text, this.options.clock.now());
      if (facts) throw this.failure({ operation: name, sent: 'yes', status, ...facts });
      return { status, text };
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
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
      ...(serverWords === undefined ? {} : { serverWords: this.scrub(serverWords) }),
      ...(detail === undefined ? {} : { detail: this.scrub(detail) }),
    });
  }

  /** Throws for what is never sent: a write of a read-only profile, and what cannot be signed as it should be. */
  private refuse(name: OperationName): void {
    if (this.options.readOnly && operations[name].method !== 'GET')
      throw notSent(name, 'the profile is read-only; its setting readOnly allows no write');
    const problem = credentialsProblem(this.schemeOf(name), this.options.credentials);
    if (problem !== undefined) throw notSent(name, problem);
  }

  private address(name: OperationName, pairs: QueryPairs): [string, Record<string, string>] {
    const { baseUrl, credentials, clock } = this.options;
    const { query, headers } = sign(this.schemeOf(name), credentials, pairs, clock.now());
    const url = `${baseUrl}${operations[name].path}${query === '' ? '' : `?${query}`}`;
    return [url, { accept: 'application/json', ...headers }];
  }

  private schemeOf(name: OperationName): AuthScheme {
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
