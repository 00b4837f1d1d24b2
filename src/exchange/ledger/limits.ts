import type { RateLimit } from '../records.ts';
import { dayMs } from '../../base/durations.ts';

/** At most `weight` within any `windowMs`, whether the exchange counts fixed windows or sliding ones. */
export type WeightLimit = { readonly weight: number; readonly windowMs: number };

const minuteMs = 60_000;
const assumed: WeightLimit = { weight: 1000, windowMs: minuteMs };
/** What holds until exchange information has told the limits (section 8). */
export const assumedLimits: readonly WeightLimit[] = [assumed];

const weightTypes: ReadonlySet<string> = new Set(['HARD_LIMIT', 'REQUEST_WEIGHT']);
const intervalsMs: ReadonlyMap<string, number> = new Map([
  ['SECOND', 1000],
  ['MINUTE', minuteMs],
  ['HOUR', 3_600_000],
  ['DAY', dayMs],
]);

/** The limits to keep by what exchange information tells (section 2.7). */
export function limitsIn(rateLimits: readonly RateLimit[]): readonly WeightLimit[] {
  const understood = rateLimits.flatMap((rateLimit) => limitIn(rateLimit) ?? []);
  const supposed = supposedLimit(rateLimits);
  return supposed ? [...understood, supposed] : understood;
}

/**
 * What is kept for limits that are not understood: the assumed one, and no more than the number of any
 * of them that is or may be of weight. It stands beside those that are understood where a field of one
 * could not be read, or where they leave a single minute free.
 */
export function supposedLimit(rateLimits: readonly RateLimit[]): WeightLimit | undefined {
  const understood = rateLimits.flatMap((rateLimit) => limitIn(rateLimit) ?? []);
  const strange = rateLimits.filter((one) => mayBeOfWeight(one) && limitIn(one) === undefined);
  const isAllKept = understood.length > 0 && strange.length === 0;
  const isMinuteKept = understood.some(({ windowMs }) => windowMs <= minuteMs);
  if (isAllKept || (isMinuteKept && !strange.some(isUnreadable))) return undefined;
  const numbers = strange.map(weightIn).filter(isAtLeastOne);
  return { ...assumed, weight: numbers.reduce((a, b) => Math.min(a, b), assumed.weight) };
}

/** One told limit; undefined where its type, interval or number is not known: it is shown, not kept. */
export function limitIn(rateLimit: RateLimit): WeightLimit | undefined {
  const { rateLimitType, interval, intervalNum } = rateLimit;
  if (rateLimitType === null || interval === null) return undefined;
  const intervalMs = intervalsMs.get(singular(interval)) ?? Number.NaN;
  const windowMs = intervalMs * wholeNumber(intervalNum);
  const weight = weightIn(rateLimit);
  const isUsable = isOfWeight(rateLimitType) && windowMs >= 1 && isAtLeastOne(weight);
  return isUsable && Number.isSafeInteger(windowMs + weight) ? { weight, windowMs } : undefined;
}

function isUnreadable({ intervalNum, limit, interval, rateLimitType }: RateLimit): boolean {
  return [intervalNum, limit, interval, rateLimitType].includes(null);
}

function mayBeOfWeight({ rateLimitType }: RateLimit): boolean {
  return rateLimitType === null || isOfWeight(rateLimitType);
}

function isOfWeight(rateLimitType: string): boolean {
  return weightTypes.has(singular(rateLimitType));
}

function singular(name: string): string {
  return name.toUpperCase().replace(/S$/, '');
}

function weightIn({ limit }: RateLimit): number {
  return limit === null ? Number.NaN : Math.floor(Number(limit));
}

/** Exact also for `1.0` and `1e0`; NaN for what is no whole number. */
function wholeNumber(text: string | null): number {
  const number = text === null ? Number.NaN : Number(text);
  return Number.isInteger(number) ? number : Number.NaN;
}

function isAtLeastOne(weight: number): boolean {
  return weight >= 1;
}
