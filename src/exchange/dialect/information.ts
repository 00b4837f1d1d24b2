import { isTimestamp } from '../../base/instant.ts';
import { limitIn } from '../ledger/limits.ts';
import type { ExchangeInformation, RateLimit } from '../records.ts';
import type { ToldInformation, ToldLimit } from './facts.ts';

/** What is remembered of exchange information (section 2.7). `aheadMs` is the exchange's clock before ours. */
export function toldInformation(
  { timezone, rateLimits, serverTime }: ExchangeInformation,
  aheadMs: number,
  readAt: number,
): ToldInformation {
  return {
    timezone: timezone.slice(0, longestText),
    rateLimits: rateLimits.slice(0, mostLimits).map(toldLimit),
    aheadMs: isTimestamp(serverTime) ? aheadMs : null,
    readAt,
  };
}

const longestText = 100;
const mostLimits = 50;

/** The ledger keeps the limits whose type and interval it knows. */
function toldLimit(rateLimit: RateLimit): ToldLimit {
  const { rateLimitType, interval, intervalNum, limit } = rateLimit;
  const isKept = limitIn(rateLimit) !== undefined;
  return {
    rateLimitType: rateLimitType.slice(0, longestText),
    interval: interval.slice(0, longestText),
    intervalNum: intervalNum.slice(0, longestText),
    limit: limit.slice(0, longestText),
    isKept,
  };
}
