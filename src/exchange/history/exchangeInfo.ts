import { isTimestamp } from '../../base/time.ts';
import { isTimeZone, TimeZone } from '../../base/timeZone.ts';
import { parseLimit, fallbackLimit } from '../rateLimit/limits.ts';
import type { ExchangeInformation } from '../records.ts';
import type { ObservedExchangeInfo } from './learnedConventions.ts';

type ObservationContext = {
  /** How far the clock of the exchange is ahead of the local one. */
  readonly aheadMs: number;
  readonly readAt: number;
  /** Removes what must not be stored: an exchange may repeat a key. */
  readonly scrub: (text: string) => string;
};

/** What is stored of exchange information (section 2.7). */
export function observeExchangeInfo(
  { timezone, rateLimits, serverTime }: ExchangeInformation,
  { aheadMs, readAt, scrub }: ObservationContext,
): ObservedExchangeInfo {
  const short = (text: string | null): string | null =>
    text === null ? null : scrub(text).slice(0, maxTextLength);
  return {
    timezone: short(timezone),
    rateLimits: rateLimits.slice(0, maxLimits).map((limit) => ({
      rateLimitType: short(limit.rateLimitType),
      interval: short(limit.interval),
      intervalNum: short(limit.intervalNum),
      limit: short(limit.limit),
      isEnforced: parseLimit(limit) !== undefined,
    })),
    supposedPerMinute: fallbackLimit(rateLimits)?.weight ?? null,
    aheadMs: isTimestamp(serverTime ?? '') ? aheadMs : null,
    readAt,
  };
}

const maxTextLength = 100;
const maxLimits = 50;

/** Parses a time zone: an IANA name, `+02:00` or `UTC+2`; undefined for anything else. */
export function parseZone(name: string): TimeZone | undefined {
  const [, sign, hours = '', minutes = '00'] =
    /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?$/i.exec(name.trim()) ?? [];
  const known = sign === undefined ? name.trim() : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const meant = /^z$/i.test(known) ? 'UTC' : known;
  return isTimeZone(meant) ? new TimeZone(meant) : undefined;
}
