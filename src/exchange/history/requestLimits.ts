import { lengthOf, openStart, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { ApiConventions } from './apiConventions.ts';

type RangeLimit = Pick<ApiConventions, 'maxRangeDays' | 'dates'>;

/**
 * The longest period of one request, so that it is not too long once it is written: coarse dates are
 * rounded outward by up to two units, local times by up to two hours when clocks are set back, and a
 * day can be an hour shorter. At least a day; null if no limit is known.
 */
export function maxPeriodMs({ maxRangeDays, dates }: RangeLimit): number | null {
  if (maxRangeDays === null) return null;
  return Math.max(dayMs, maxRangeDays * dayMs - encodingMarginMs[dates]);
}

const encodingMarginMs = {
  epochMs: 0,
  isoInstant: 0,
  epochS: 1000,
  isoLocal: 2 * 3_600_000,
  isoDate: 2 * dayMs + 3_600_000,
} as const satisfies Record<ApiConventions['dates'], number>;

const rangeDaysToTry = [180, 90, 30, 7] as const;
const tenYearsMs = 3650 * dayMs;

/**
 * Finds how many days one request may span after a range was refused: the longest of the usual limits
 * that is accepted. Undefined if the length was not the reason: no shorter range is refused and a long one is
 * accepted now; or a single day is refused too, the first one or, without a start, the last. Sends five
 * requests at most.
 */
export async function findRangeLimitDays(
  range: Interval,
  isAccepted: (range: Interval) => Promise<boolean>,
): Promise<number | 'dayRefused' | undefined> {
  const { from, to } = range;
  const lengthMs = lengthOf(range);
  const startWithin = (ms: number): number => (from === openStart ? to - ms : from);
  const dayFrom = startWithin(dayMs);
  if (lengthMs <= dayMs) return 'dayRefused';
  if (!(await isAccepted({ from: dayFrom, to: dayFrom + dayMs }))) return 'dayRefused';
  const shorter = rangeDaysToTry.filter((days) => days * dayMs < lengthMs);
  let refusals = 0;
  for (const days of shorter) {
    if (await isAccepted({ from: to - days * dayMs, to })) {
      if (refusals > 0) return days;
      break;
    }
    refusals += 1;
  }
  if (refusals === 0 && (await isAccepted({ from: startWithin(tenYearsMs), to }))) return undefined;
  return refusals > 0 ? 1 : (shorter[0] ?? 1);
}

/** The usual limits below the largest page that is asked for. */
export const pageSizesToTry = [100, 50, 20] as const;

/**
 * Finds how many rows a page may have after one of `asked` rows was refused: the largest of the usual limits that
 * is accepted. Undefined if the size was not the reason: the smallest page is refused too, or the asked one
 * is accepted now. Sends four requests at most.
 */
export async function findPageSizeLimit(
  asked: number,
  isAccepted: (size: number) => Promise<boolean>,
): Promise<number | undefined> {
  const sizes = pageSizesToTry.filter((size) => size < asked);
  const smallest = sizes.at(-1);
  if (smallest === undefined || !(await isAccepted(smallest))) return undefined;
  for (const size of [asked, ...sizes.slice(0, -1)])
    if (await isAccepted(size)) return size === asked ? undefined : size;
  return smallest;
}
