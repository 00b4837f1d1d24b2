import type { Dialect } from './dialect.ts';
import { dayMs } from '../../base/durations.ts';

/** From `from` on, up to but without `to`, in epoch milliseconds. */
export type Slice = { readonly from: number; readonly to: number };

type Bound = Pick<Dialect, 'maxRangeDays' | 'dates'>;

/**
 * How long one request's period may be, so that it is not too long once it is written: dates are
 * written outward, by two steps of a coarse form at most, and by two hours where clocks show
 * one twice; and a day can be an hour shorter.
 * At least a day; null where no bound is known.
 */
export function longestPeriodMs({ maxRangeDays, dates }: Bound): number | null {
  if (maxRangeDays === null) return null;
  return Math.max(dayMs, maxRangeDays * dayMs - outwardMs[dates]);
}

const outwardMs = {
  ...{ epochMs: 0, isoInstant: 0 },
  epochS: 1000,
  isoLocal: 2 * 3_600_000,
  isoDate: 2 * dayMs + 3_600_000,
} as const satisfies Record<Dialect['dates'], number>;

/**
 * Cuts a period into slices that the exchange answers at once, in the order of its rows: the newest
 * first unless it sorts the oldest first. Together they are the period, and no two overlap.
 */
export function slicesOf(
  { from, to }: Slice,
  { sort, ...bound }: Bound & Pick<Dialect, 'sort'>,
): readonly Slice[] {
  const longestMs = longestPeriodMs(bound) ?? Infinity;
  const count = Math.max(1, Math.ceil((to - from) / longestMs));
  const newestFirst = Array.from({ length: count }, (_, index) => {
    const end = to - (index === 0 ? 0 : index * longestMs);
    return { from: Math.max(from, end - longestMs), to: end };
  });
  return sort === 'oldestFirst' ? newestFirst.reverse() : newestFirst;
}

/** A page of one slice, counted from 0. */
export type Place = { readonly slice: number; readonly page: number };

/**
 * Where a page is among slices that have so many pages each: a page ends with its slice, and a slice
 * without rows has none. Undefined past the last page.
 */
export function pageAmong(pagesOfEach: readonly number[], page: number): Place | undefined {
  let pagesBefore = 0;
  for (const [slice, pages] of pagesOfEach.entries()) {
    const own = page - pagesBefore;
    if (own < pages) return { slice, page: own };
    pagesBefore += pages;
  }
  return undefined;
}
