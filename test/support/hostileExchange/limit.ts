import { Refusal } from '../../../src/practice/refusal.ts';
import type { Arrival } from '../arrivals.ts';
import type { Reply } from './faults.ts';

/** A limit that the server holds, and what it says to whoever passes it. */
export type EnforcedLimit = {
  readonly weight: number;
  readonly windowMs: number;
  /** `calendar`: windows follow each other, as minutes on a clock do. */
  readonly window: 'sliding' | 'calendar';
  readonly status: number;
  /** The header `Retry-After` for a wait; without it there is none. */
  readonly retryAfter?: (waitMs: number) => string;
  /** In place of the error body; for servers that answer 200 with an error code. */
  readonly body?: string;
};

export const inSeconds = (waitMs: number): string => String(Math.ceil(waitMs / 1000));
export const asDate = (waitMs: number): string => new Date(Date.now() + waitMs).toUTCString();

/** The weight in the window that a request at `now` falls into. */
export function weightIn(
  arrivals: readonly Arrival[],
  { windowMs, window }: Pick<EnforcedLimit, 'windowMs' | 'window'>,
  now: number,
): number {
  const since = window === 'sliding' ? now - windowMs : Math.floor(now / windowMs) * windowMs;
  return arrivals.reduce((sum, { at, weight }) => (at >= since ? sum + weight : sum), 0);
}

/** The refusal of a request that passes the limit; undefined where it does not. */
export function limitReply(
  arrivals: readonly Arrival[],
  limit: EnforcedLimit,
  now: number,
): Reply | undefined {
  if (weightIn(arrivals, limit, now) <= limit.weight) return undefined;
  const { status, windowMs, retryAfter, body } = limit;
  const waitMs = limit.window === 'sliding' ? windowMs : windowMs - (now % windowMs);
  const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter(waitMs) } : {};
  return body === undefined
    ? refusalReply(new Refusal(status, 'The weight limit is used up.', headers), '')
    : { status, headers, body };
}

/** An error as Spring words it. */
export function refusalReply({ status, message, headers }: Refusal, path: string): Reply {
  return { status, headers, body: JSON.stringify({ status, message, path }) };
}
