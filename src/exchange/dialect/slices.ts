import type { Dialect } from './dialect.ts';

const dayMs = 86_400_000;

/** From `from` on, up to but without `to`, in epoch milliseconds. */
export type Slice = { readonly from: number; readonly to: number };

/**
 * Cuts a period into slices that the exchange answers at once, in the order of its rows: the newest
 * first unless it sorts the oldest first. Together they are the period, and no two overlap.
 */
export function slicesOf(
  { from, to }: Slice,
  { maxRangeDays, sort }: Pick<Dialect, 'maxRangeDays' | 'sort'>,
): readonly Slice[] {
  const longestMs = (maxRangeDays ?? Infinity) * dayMs;
  const count = Math.max(1, Math.ceil((to - from) / longestMs));
  const newestFirst = Array.from({ length: count }, (_, index) => {
    const end = to - (index === 0 ? 0 : index * longestMs);
    return { from: Math.max(from, end - longestMs), to: end };
  });
  return sort === 'oldestFirst' ? newestFirst.reverse() : newestFirst;
}

/** A page of one slice, counted from 0, and how many rows stand before it in all. */
export type Place = { readonly slice: number; readonly page: number; readonly rowsBefore: number };

/**
 * Where a page is among slices that have so many rows each: a page ends with its slice, and a slice
 * without rows has none. Undefined past the last page.
 */
export function pageAmong(
  counts: readonly number[],
  size: number,
  page: number,
): Place | undefined {
  let [pagesBefore, rowsBefore] = [0, 0];
  for (const [slice, count] of counts.entries()) {
    const pages = Math.ceil(count / size);
    const own = page - pagesBefore;
    if (own < pages) return { slice, page: own, rowsBefore: rowsBefore + own * size };
    pagesBefore += pages;
    rowsBefore += count;
  }
  return undefined;
}
