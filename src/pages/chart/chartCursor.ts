/** The point that a key moves the cursor to; undefined for a key that does not move it. */
export function movedCursor(
  key: string,
  cursor: number | undefined,
  count: number,
): number | undefined {
  if (count === 0) return undefined;
  const within = (point: number): number => Math.min(count - 1, Math.max(0, point));
  const far = Math.max(1, Math.round(count / 10));
  switch (key) {
    case 'ArrowRight':
      return within(cursor === undefined ? 0 : cursor + 1);
    case 'ArrowLeft':
      return within(cursor === undefined ? count - 1 : cursor - 1);
    case 'PageDown':
      return within((cursor ?? -far) + far);
    case 'PageUp':
      return within((cursor ?? count - 1 + far) - far);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** The last of ascending values that is not after `value`; 0 if all are. */
export function lastUpTo(value: number, ascending: ArrayLike<number>): number {
  let [from, to] = [0, ascending.length - 1];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((ascending[middle] ?? Infinity) <= value) from = middle;
    else to = middle - 1;
  }
  return Math.max(0, from);
}

/** The nearest of ascending values. */
export function nearest(value: number, ascending: ArrayLike<number>): number {
  const before = lastUpTo(value, ascending);
  const [one = 0, other = Infinity] = [ascending[before], ascending[before + 1]];
  return Math.abs(other - value) < Math.abs(value - one) ? before + 1 : before;
}
