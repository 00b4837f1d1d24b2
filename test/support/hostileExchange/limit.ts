import { HttpError } from '../../../src/practice/http/jsonResponse.ts';
import type { Arrival } from '../arrivals.ts';
import type { Reply } from './faults.ts';

/** A limit for any sliding window, which the server enforces with 429. */
export type EnforcedLimit = {
  readonly weight: number;
  readonly windowMs: number;
  /** The header `Retry-After` for a wait; there is none unless given. */
  readonly retryAfter?: (waitMs: number) => string;
};

export const inSeconds = (waitMs: number): string => String(Math.ceil(waitMs / 1000));

/** The answer to a request above the limit; undefined below it. */
export function limitReply(
  arrivals: readonly Arrival[],
  { weight: limit, windowMs, retryAfter }: EnforcedLimit,
  now: number,
): Reply | undefined {
  const inWindow = arrivals.filter(({ at }) => at >= now - windowMs);
  const used = inWindow.reduce((sum, { weight }) => sum + weight, 0);
  if (used <= limit) return undefined;
  const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter(windowMs) } : {};
  return refusalReply(new HttpError(429, 'The weight limit is used up.', headers), '');
}

/** An error in the format of Spring. */
export function refusalReply({ status, message, headers }: HttpError, path: string): Reply {
  return { status, headers, body: JSON.stringify({ status, message, path }) };
}
