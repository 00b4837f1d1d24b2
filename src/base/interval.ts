import { lastDateMs } from './time.ts';

/**
 * Half-open, in epoch milliseconds: from `from` on, up to but without `to`. It is open where an end is beyond
 * every record: `openStart` or `openEnd`.
 */
export type Interval = { readonly from: number; readonly to: number };

/** Before every record. */
export const openStart = 0;
/** After every record. */
export const openEnd = lastDateMs;
export const always: Interval = { from: openStart, to: openEnd };

/** A part of an interval that is too long for one request, and where the parts beside it end; null for none. */
export type PeriodPart = Interval & {
  readonly older: number | null;
  readonly newer: number | null;
};

/** Whether both ends are open. */
export function isAlways({ from, to }: Interval): boolean {
  return from === openStart && to === openEnd;
}

export function isEmpty({ from, to }: Interval): boolean {
  return to <= from;
}

/** In milliseconds. */
export function lengthOf({ from, to }: Interval): number {
  return to - from;
}

export function contains({ from, to }: Interval, moment: number): boolean {
  return from <= moment && moment < to;
}

/** The moments of some intervals, as intervals that are sorted, apart from one another, and not empty. */
export function union(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const { from, to } of sorted(intervals)) {
    const last = merged.at(-1);
    if (!last || last.to < from) merged.push({ from, to });
    else merged.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
  }
  return merged;
}

/** The moments of `intervals` that lie within one. */
export function clip(intervals: readonly Interval[], { from, to }: Interval): Interval[] {
  return union(
    intervals.map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) })),
  );
}

/** The moments of `intervals` that lie in none of `taken`. */
export function subtract(intervals: readonly Interval[], taken: readonly Interval[]): Interval[] {
  return union(taken).reduce(
    (left, { from, to }) => [
      ...clip(left, { from: -Infinity, to: from }),
      ...clip(left, { from: to, to: Infinity }),
    ],
    union(intervals),
  );
}

/** The moments that lie in each of several sets; none of no set. */
export function intersection(sets: readonly (readonly Interval[])[]): readonly Interval[] {
  const [first = [], ...others] = sets;
  return others.reduce((some, other) => some.flatMap((one) => clip(other, one)), first);
}

/** Whether the whole of one interval lies in one of these. */
export function covers(intervals: readonly Interval[], { from, to }: Interval): boolean {
  return intervals.some((each) => each.from <= from && to <= each.to);
}

function sorted(intervals: readonly Interval[]): Interval[] {
  return intervals
    .filter((interval) => !isEmpty(interval))
    .toSorted((one, other) => one.from - other.from);
}
