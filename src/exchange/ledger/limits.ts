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

/** The rate limits of exchange information (section 2.7): those that are enforced, and the rest as they came. */
export type ReadLimits = {
  readonly enforced: readonly WeightLimit[];
  /** Of a type or an interval that is not known; they can be shown, nothing is held back for them. */
  readonly unknown: readonly RateLimit[];
};

/** Reads what exchange information tells of limits. */
export function readLimits(rateLimits: readonly RateLimit[]): ReadLimits {
  const read = rateLimits.map((rateLimit) => ({ rateLimit, limit: limitIn(rateLimit) }));
  return {
    enforced: read.flatMap(({ limit }) => limit ?? []),
    unknown: read.filter(({ limit }) => !limit).map(({ rateLimit }) => rateLimit),
  };
}

function limitIn({
  rateLimitType,
  interval,
  intervalNum,
  limit,
}: RateLimit): WeightLimit | undefined {
  const windowMs = (intervalsMs.get(interval) ?? Number.NaN) * Number(intervalNum);
  const weight = Math.floor(Number(limit));
  const isUsable = weightTypes.has(rateLimitType) && windowMs >= 1 && weight >= 1;
  return isUsable && Number.isSafeInteger(windowMs + weight) ? { weight, windowMs } : undefined;
}
