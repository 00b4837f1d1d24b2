import { isTimestamp } from '../../base/instant.ts';
import { limitIn, supposedLimit } from '../ledger/limits.ts';
import type { ExchangeInformation } from '../records.ts';
import type { ToldInformation } from './facts.ts';

type Reading = {
  /** How far the exchange's clock is ahead of ours. */
  readonly aheadMs: number;
  readonly readAt: number;
  /** Takes out of a text what must not be kept: an exchange may repeat a key. */
  readonly scrub: (text: string) => string;
};

/** What is remembered of exchange information (section 2.7). */
export function toldInformation(
  { timezone, rateLimits, serverTime }: ExchangeInformation,
  { aheadMs, readAt, scrub }: Reading,
): ToldInformation {
  const short = (text: string | null): string | null =>
    text === null ? null : scrub(text).slice(0, longestText);
  return {
    timezone: short(timezone),
    rateLimits: rateLimits.slice(0, mostLimits).map((limit) => ({
      rateLimitType: short(limit.rateLimitType),
      interval: short(limit.interval),
      intervalNum: short(limit.intervalNum),
      limit: short(limit.limit),
      isKept: limitIn(limit) !== undefined,
    })),
    supposedPerMinute: supposedLimit(rateLimits)?.weight ?? null,
    aheadMs: isTimestamp(serverTime ?? '') ? aheadMs : null,
    readAt,
  };
}

const longestText = 100;
const mostLimits = 50;
