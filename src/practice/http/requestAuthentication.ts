import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs, type Clock } from '../../base/time.ts';
import { HttpError } from './jsonResponse.ts';

export type Credentials = { readonly apiKey: string; readonly apiSecret: string };

/** The parameters that a signed request has in addition to its own. */
export const authenticationParameters: readonly string[] = ['timestamp', 'recvWindow', 'signature'];

const maxWindowMs = minuteMs;
const signatureStart = '&signature=';

/**
 * Checks a signed request. Throws an `HttpError`: 401 for a wrong key, timestamp or signature, 400
 * for a malformed `recvWindow`. The key is in the header `X-API-KEY`. The signature is the last
 * parameter: HMAC-SHA256 in hex of the query before it, as received.
 */
export function authenticate(
  query: string,
  key: string | undefined,
  credentials: Credentials,
  clock: Clock,
): void {
  if (key === undefined || !isSame(key, credentials.apiKey)) {
    throw new HttpError(401, 'The API key in the header X-API-KEY is missing or wrong.');
  }
  checkTimestamp(new URLSearchParams(query), clock.now());
  checkSignature(query, credentials.apiSecret);
}

function checkTimestamp(parameters: URLSearchParams, now: number): void {
  const windowMs = parameters.has('recvWindow')
    ? Math.min(milliseconds(parameters, 'recvWindow', /^[1-9]\d{0,8}$/, 400), maxWindowMs)
    : maxWindowMs;
  const timestamp = milliseconds(parameters, 'timestamp', /^\d{1,15}$/, 401);
  if (Math.abs(now - timestamp) > windowMs) {
    throw new HttpError(
      401,
      `The timestamp differs from the server time by more than ${windowMs} ms.`,
    );
  }
}

function milliseconds(
  parameters: URLSearchParams,
  name: string,
  pattern: RegExp,
  status: number,
): number {
  const [text = '', ...more] = parameters.getAll(name);
  if (more.length === 0 && pattern.test(text)) return Number(text);
  const message = `The parameter ${name} must be a single whole number of milliseconds.`;
  throw new HttpError(status, message);
}

function checkSignature(query: string, secret: string): void {
  const at = query.lastIndexOf(signatureStart);
  const [signed, signature] =
    at < 0 ? [query, ''] : [query.slice(0, at), query.slice(at + signatureStart.length)];
  if (!isSame(signature, createHmac('sha256', secret).update(signed).digest('hex'))) {
    throw new HttpError(401, 'The signature is missing, not the last parameter, or wrong.');
  }
}

/** Compares in constant time, so that timing does not reveal a secret. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
