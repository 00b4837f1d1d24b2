/** The point that a key moves the cursor to; undefined for a key that does not move it. */
export function movedCursor(
  key: string,
  cursor: number | undefined,
  count: number,
): number | undefined {
  if (count === 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const far = Math.max(1, Math.round(count / 10));
  const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: far, PageUp: -far };
  const by = Object.entries(steps).find(([name]) => name === key)?.[1];
  if (by === undefined) return undefined;
  const from = cursor ?? (by > 0 ? -by : count - 1 - by);
  return Math.min(count - 1, Math.max(0, from + by));
}

/** The last of ascending values that is not after `value`; 0 if all are. */
export function lastUpTo(value: number, ascending: Float64Array): number {
  return Math.max(
    0,
    ascending.findLastIndex((each) => each <= value),
  );
}

/** The nearest of ascending values. */
export function nearest(value: number, ascending: Float64Array): number {
  const before = lastUpTo(value, ascending);
  const [one = 0, other = Infinity] = ascending.subarray(before, before + 2);
  return Math.abs(other - value) < Math.abs(value - one) ? before + 1 : before;
}
