import Big from 'big.js';
import { rawNumber } from '../../base/exactJson.ts';

export type JsonResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function jsonResponse(
  status: number,
  value: unknown,
  headers: JsonResponse['headers'] = {},
): JsonResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: jsonText(value),
  };
}

/** A value as JSON text. A Big or a bigint becomes a number with all its digits, without exponent. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, written: unknown) {
    // `written` is the result of toJSON, which makes a string of a Big.
    const own = this[key];
    if (own instanceof Big) return rawNumber(own.eq(0) ? '0' : own.toFixed());
    return typeof own === 'bigint' ? rawNumber(own.toString()) : written;
  });
}

/** An error that is answered with this status, these headers and this message. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
