import type { RateLimit } from '../records.ts';

/** At most `weight` within any `windowMs`, whether the exchange counts fixed windows or sliding ones. */
export type WeightLimit = { readonly weight: number; readonly windowMs: number };

/** What holds until exchange information has told the limits (section 8). */
export const assumedLimits: readonly WeightLimit[] = [{ weight: 1000, windowMs: 60_000 }];

const weightTypes: ReadonlySet<string> = new Set(['HARD_LIMIT', 'REQUEST_WEIGHT']);
const intervalsMs: ReadonlyMap<string, number> = new Map([
  ['SECOND', 1000],
  ['MINUTE', 60_000],
  ['HOUR', 3_600_000],
  ['DAY', 86_400_000],
]);

/**
 * The limits of exchange information (section 2.7) that are understood; those of another type or
 * interval are left to the panel that shows them. Without any the assumed limit stays.
 */
export function weightLimits(rateLimits: readonly RateLimit[]): readonly WeightLimit[] {
  const known = rateLimits.flatMap(({ rateLimitType, interval, intervalNum, limit }) => {
    const windowMs = (intervalsMs.get(interval) ?? Number.NaN) * Number(intervalNum);
    const weight = Math.floor(Number(limit));
    const isUsable = weightTypes.has(rateLimitType) && windowMs > 0 && weight > 0;
    return isUsable && Number.isSafeInteger(windowMs + weight) ? [{ weight, windowMs }] : [];
  });
  return known.length === 0 ? assumedLimits : known;
}
