import type { RateLimit } from '../records.ts';
import { dayMs } from '../../base/durations.ts';

/** At most `weight` within any `windowMs`, whether the exchange counts fixed windows or sliding ones. */
export type WeightLimit = { readonly weight: number; readonly windowMs: number };

/** What holds until exchange information has told the limits (section 8). */
export const assumedLimits: readonly WeightLimit[] = [{ weight: 1000, windowMs: 60_000 }];

const weightTypes: ReadonlySet<string> = new Set(['HARD_LIMIT', 'REQUEST_WEIGHT']);
const intervalsMs: ReadonlyMap<string, number> = new Map([
  ['SECOND', 1000],
  ['MINUTE', 60_000],
  ['HOUR', 3_600_000],
  ['DAY', dayMs],
]);

/**
 * The limits to keep by what exchange information tells (section 2.7). Where nothing of it is
 * understood, the assumed one, and of a limit of weight in an unknown interval no more than its number.
 */
export function limitsIn(rateLimits: readonly RateLimit[]): readonly WeightLimit[] {
  const understood = rateLimits.flatMap((rateLimit) => limitIn(rateLimit) ?? []);
  if (understood.length > 0) return understood;
  const numbers = rateLimits.filter(isOfWeight).map(weightIn).filter(isAtLeastOne);
  return assumedLimits.map(({ weight, windowMs }) => ({
    weight: Math.min(weight, ...numbers),
    windowMs,
  }));
}

/** One told limit; undefined where its type, interval or number is not known: it is shown, not kept. */
export function limitIn(rateLimit: RateLimit): WeightLimit | undefined {
  const interval = rateLimit.interval.toUpperCase().replace(/S$/, '');
  const windowMs = (intervalsMs.get(interval) ?? Number.NaN) * Number(rateLimit.intervalNum);
  const weight = weightIn(rateLimit);
  const isUsable = isOfWeight(rateLimit) && windowMs >= 1 && isAtLeastOne(weight);
  return isUsable && Number.isSafeInteger(windowMs + weight) ? { weight, windowMs } : undefined;
}

function isOfWeight({ rateLimitType }: RateLimit): boolean {
  return weightTypes.has(rateLimitType.toUpperCase().replace(/S$/, ''));
}

function weightIn({ limit }: RateLimit): number {
  return Math.floor(Number(limit));
}

function isAtLeastOne(weight: number): boolean {
  return weight >= 1;
}
