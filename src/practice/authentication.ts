import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { Refusal } from './refusal.ts';

export type Credentials = { readonly apiKey: string; readonly apiSecret: string };

/** What a signed request carries beside its own parameters. */
export const authenticationParameters: readonly string[] = ['timestamp', 'recvWindow', 'signature'];

const widestWindowMs = 60_000;
const signatureMark = '&signature=';

/**
 * Lets a signed request pass or throws a `Refusal`: 401 that says which of key, timestamp and
 * signature was wrong, 400 for a malformed `recvWindow`. The key is the header `X-API-KEY`; the
 * signature is the last parameter: HMAC-SHA256 in hex over the query before it, as received.
 */
export function authenticate(
  query: string,
  key: string | undefined,
  credentials: Credentials,
  clock: Clock,
): void {
  if (key === undefined || !isSame(key, credentials.apiKey)) {
    throw new Refusal(401, 'The API key in the header X-API-KEY is missing or wrong.');
  }
  checkTimestamp(new URLSearchParams(query), clock.now());
  checkSignature(query, credentials.apiSecret);
}

function checkTimestamp(parameters: URLSearchParams, now: number): void {
  const windowMs = receiveWindow(parameters);
  const [timestamp, ...more] = parameters.getAll('timestamp');
  if (timestamp === undefined || more.length > 0 || !/^\d{1,15}$/.test(timestamp)) {
    throw new Refusal(401, 'The parameter timestamp is not one whole number of milliseconds.');
  }
  if (Math.abs(now - Number(timestamp)) > windowMs) {
    throw new Refusal(
      401,
      `The timestamp is more than ${windowMs} ms away from the server's time.`,
    );
  }
}

function receiveWindow(parameters: URLSearchParams): number {
  const [text, ...more] = parameters.getAll('recvWindow');
  if (text === undefined) return widestWindowMs;
  if (more.length > 0 || !/^[1-9]\d{0,8}$/.test(text)) {
    throw new Refusal(400, 'The parameter recvWindow is not one whole number of milliseconds.');
  }
  return Math.min(Number(text), widestWindowMs);
}

function checkSignature(query: string, secret: string): void {
  const at = query.lastIndexOf(signatureMark);
  const [signed, signature] =
    at < 0 ? [query, ''] : [query.slice(0, at), query.slice(at + signatureMark.length)];
  if (!isSame(signature, createHmac('sha256', secret).update(signed).digest('hex'))) {
    throw new Refusal(401, 'The signature is missing, not the last parameter, or wrong.');
  }
}

/** Compares in a time that tells nothing about either text. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
