import type { Clock } from '../base/clock.ts';
import { sign } from './auth/sign.ts';
import type { AuthScheme, Credentials } from './auth/scheme.ts';
import { readBody } from './body.ts';
import type { QueryPairs } from './dialect/dialect.ts';
import { ExchangeError, type Failure } from './errors.ts';
import type { Fetch, FetchRequest } from './fetch.ts';
import { parseJson, type JsonValue } from './json.ts';
import { connectionFailure, statusFailure } from './failures.ts';
import { operations, type OperationName } from './operations.ts';

/** What a log may know of a request: no value of a parameter, no header, no body. */
export type RequestRecord = {
  readonly method: string;
  readonly path: string;
  readonly parameterNames: readonly string[];
  /** HTTP status, or the kind of the failure where there was none. */
  readonly result: string;
  readonly durationMs: number;
};

export type TransportOptions = {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly credentials: Credentials;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly onRequest?: (record: RequestRecord) => void;
  /** For one request and its whole body. */
  readonly deadlineMs?: number;
  readonly maxBodyBytes?: number;
};

const defaultDeadlineMs = 20_000;
const defaultMaxBodyBytes = 32 * 1024 * 1024;

/** The only place that speaks HTTP: signs, sends once, never follows a redirect, bounds time and size. */
export class Transport {
  private readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /**
   * Sends one request and parses its answer. Throws ExchangeError, or the signal's reason when the
   * caller aborted. Never sends twice.
   */
  async send(name: OperationName, pairs: QueryPairs, signal?: AbortSignal): Promise<JsonValue> {
    signal?.throwIfAborted();
    const startedAt = this.options.clock.now();
    let result = 'aborted';
    try {
      const { status, text } = await this.exchange(name, pairs, signal);
      result = String(status);
      return parseAnswer(name, status, text);
    } catch (error) {
      if (error instanceof ExchangeError)
        result = `${error.failure.status ?? ''} ${error.failure.kind}`.trim();
      throw error;
    } finally {
      const { method, path } = operations[name];
      const durationMs = this.options.clock.now() - startedAt;
      const parameterNames = pairs.map(([parameter]) => parameter);
      this.options.onRequest?.({ method, path, parameterNames, result, durationMs });
    }
  }

  private async exchange(name: OperationName, pairs: QueryPairs, signal?: AbortSignal) {
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
      const text = await readBody(response.body, maxBodyBytes);
      const failure = statusFailure(response, text, this.options.clock.now());
      if (failure) throw new ExchangeError({ operation: name, sent: 'yes', status, ...failure });
      return { status, text };
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      signal?.throwIfAborted();
      throw broken(
        name,
        status,
        deadline.aborted ? { kind: 'timeout', sent: 'maybe' } : connectionFailure(error),
        error,
      );
    }
  }

  private address(name: OperationName, pairs: QueryPairs): [string, Record<string, string>] {
    const { baseUrl, auth, credentials, clock } = this.options;
    const { path, signed } = operations[name];
    const scheme = signed ? auth : ({ scheme: 'none' } as const);
    const { query, headers } = sign(scheme, credentials, pairs, clock.now());
    const url = `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
    return [url, { accept: 'application/json', ...headers }];
  }
}

function broken(
  operation: OperationName,
  status: number | undefined,
  failure: Pick<Failure, 'kind' | 'sent' | 'detail'>,
  cause: unknown,
): ExchangeError {
  const answered = status === undefined ? {} : ({ status, sent: 'yes' } as const);
  return new ExchangeError({ operation, ...failure, ...answered }, { cause });
}

function parseAnswer(operation: OperationName, status: number, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    const detail = `the answer is ${/^\s*</.test(text) ? 'an HTML page' : 'no JSON'}`;
    throw new ExchangeError(
      { kind: 'malformed', sent: 'yes', operation, status, detail },
      { cause },
    );
  }
}
