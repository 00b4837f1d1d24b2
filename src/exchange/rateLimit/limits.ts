import { dayMs, hourMs, minuteMs, secondMs } from '../../base/time.ts';
import { operationNames, operations } from '../../api/operations.ts';
import type { RateLimit } from '../records.ts';

/** At most `weight` within any `windowMs`, whether the exchange counts fixed windows or sliding ones. */
export type WeightLimit = { readonly weight: number; readonly windowMs: number };

export const assumedLimit: WeightLimit = { weight: 1000, windowMs: minuteMs };
/** What applies until exchange information gave the limits (section 8). */
export const assumedLimits: readonly WeightLimit[] = [assumedLimit];

/** No smaller number can count weight: a page of a history would never fit. */
export const heaviestRequest = Math.max(...operationNames.map((name) => operations[name].weight));
export const longestWindowMs = 31 * dayMs;

/** Whether a limit can be kept: every request fits into it, and no wait for it is endless. */
export function isUsableLimit({ weight, windowMs }: WeightLimit): boolean {
  const isWhole = Number.isSafeInteger(weight) && Number.isSafeInteger(windowMs);
  return isWhole && weight >= heaviestRequest && windowMs >= 1 && windowMs <= longestWindowMs;
}

const weightTypes: ReadonlySet<string> = new Set(['HARD_LIMIT', 'REQUEST_WEIGHT']);
const intervalsMs: ReadonlyMap<string, number> = new Map([
  ['SECOND', secondMs],
  ['MINUTE', minuteMs],
  ['HOUR', hourMs],
  ['DAY', dayMs],
]);

/** The limits to keep, of those in exchange information (section 2.7). */
export function parseLimits(rateLimits: readonly RateLimit[]): readonly WeightLimit[] {
  const known = rateLimits.flatMap((rateLimit) => parseLimit(rateLimit) ?? []);
  const fallback = fallbackLimit(rateLimits);
  return fallback ? [...known, fallback] : known;
}

/**
 * The limit to keep in place of those in an unknown form: the assumed one, and no more than the number
 * of any of them that may count weight. It applies beside known limits if a field could not be read,
 * or if no known limit covers a minute.
 */
export function fallbackLimit(rateLimits: readonly RateLimit[]): WeightLimit | undefined {
  const known = rateLimits.flatMap((rateLimit) => parseLimit(rateLimit) ?? []);
  const unknown = rateLimits.filter((one) => mayLimitWeight(one) && parseLimit(one) === undefined);
  const isAllKnown = known.length > 0 && unknown.length === 0;
  const isMinuteKnown = known.some(({ windowMs }) => windowMs <= minuteMs);
  if (isAllKnown || (isMinuteKnown && !unknown.some(isUnreadable))) return undefined;
  const numbers = unknown.map(weightIn).filter((weight) => weight >= heaviestRequest);
  return { ...assumedLimit, weight: numbers.reduce((a, b) => Math.min(a, b), assumedLimit.weight) };
}

/** One limit; undefined if its type, interval or number cannot be used: it is shown, not kept. */
export function parseLimit(rateLimit: RateLimit): WeightLimit | undefined {
  const { rateLimitType, interval, intervalNum } = rateLimit;
  if (rateLimitType === null || interval === null) return undefined;
  const intervalMs = intervalsMs.get(singular(interval)) ?? Number.NaN;
  const windowMs = intervalMs * wholeNumber(intervalNum);
  const weight = weightIn(rateLimit);
  const isKept = limitsWeight(rateLimitType) && isUsableLimit({ weight, windowMs });
  return isKept ? { weight, windowMs } : undefined;
}

function isUnreadable({ intervalNum, limit, interval, rateLimitType }: RateLimit): boolean {
  return [intervalNum, limit, interval, rateLimitType].includes(null);
}

function mayLimitWeight({ rateLimitType }: RateLimit): boolean {
  return rateLimitType === null || limitsWeight(rateLimitType);
}

function limitsWeight(rateLimitType: string): boolean {
  return weightTypes.has(singular(rateLimitType));
}

function singular(name: string): string {
  return name.toUpperCase().replace(/S$/, '');
}

function weightIn({ limit }: RateLimit): number {
  return limit === null ? Number.NaN : Math.floor(Number(limit));
}

/** Also of `1.0` and `1e0`; NaN unless it is a whole number. */
function wholeNumber(text: string | null): number {
  const number = text === null ? Number.NaN : Number(text);
  return Number.isInteger(number) ? number : Number.NaN;
}

/** The weight that everybody has used, as a header of an answer reports it. */
export type UsedWeight = {
  readonly weight: number;
  /** As the header's name gives it; undefined if it gives none. */
  readonly windowMs: number | undefined;
};

/** Names that exchanges use; the suffix of a window may follow, as in `-1m`. */
const headerNames = [
  'x-mbx-used-weight',
  'x-used-weight',
  'x-ratelimit-used',
  'ratelimit-used',
] as const;
/** The suffix of each window, the shortest first; none stands for a window that only the exchange knows. */
const windowsMs = [
  ['-1s', secondMs],
  ['-10s', 10 * secondMs],
  ['-1m', minuteMs],
  ['', undefined],
  ['-1h', hourMs],
  ['-1d', dayMs],
] as const;

/** The used weights in the headers of an answer, one for each window, the shortest first. */
export function readUsedWeights(headers: {
  get(name: string): string | null;
}): readonly UsedWeight[] {
  return windowsMs.flatMap(([suffix, windowMs]) => {
    const texts = headerNames.map((name) => headers.get(`${name}${suffix}`) ?? '');
    const used = texts.find((text) => /^\d{1,9}$/.test(text));
    return used === undefined ? [] : [{ weight: Number(used), windowMs }];
  });
}
