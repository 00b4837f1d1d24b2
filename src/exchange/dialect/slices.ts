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

/** The rows of one slice that a page over all slices needs, counted from 0, without `end`. */
export type Share = { readonly slice: number; readonly start: number; readonly end: number };

/** Which rows of which slices stand on a page, given how many rows each slice has. */
export function sharesOf(page: number, size: number, counts: readonly number[]): readonly Share[] {
  const [first, last] = [page * size, (page + 1) * size];
  let before = 0;
  return counts.flatMap((count, slice) => {
    const [start, end] = [Math.max(0, first - before), Math.min(count, last - before)];
    before += count;
    return start < end ? [{ slice, start, end }] : [];
  });
}
