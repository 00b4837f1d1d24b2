import type { Scale } from './chartScales.ts';

type LineOptions = {
  /** In CSS pixels, ascending. */
  readonly x: Float64Array;
  /** NaN is a gap. */
  readonly values: Float64Array;
  readonly y: Scale;
  /** Whether a value holds until the next point, and the last one until `end`. */
  readonly isStepped: boolean;
  readonly end: number;
};

/**
 * The path of a line. Of many points in one pixel column only the first, the last and both extremes are
 * drawn, which looks the same. A gap ends a line, and a single point between gaps is a dash.
 */
export function linePath(options: LineOptions): string {
  const { values } = options;
  let path = '';
  for (let from = 0; from < values.length; from += 1) {
    if (Number.isNaN(values[from])) continue;
    let to = from;
    while (to + 1 < values.length && !Number.isNaN(values[to + 1])) to += 1;
    path += runPath(from, to, options);
    from = to;
  }
  return path;
}

/** The points from `from` to `to`, none of which is a gap. */
function runPath(from: number, to: number, { x, values, y, isStepped, end }: LineOptions): string {
  let path = '';
  const place = (point: number): void => {
    const [left, top] = [rounded(x[point] ?? 0), rounded(y(values[point] ?? 0))];
    path += path === '' ? `M${left} ${top}` : isStepped ? `H${left}V${top}` : `L${left} ${top}`;
  };
  for (let point = from; point <= to;) {
    const last = lastOfPixel(point, to, x);
    for (const kept of keptPoints(point, last, values)) place(kept);
    point = last + 1;
  }
  const isOfPage = to === values.length - 1;
  if (isStepped) return `${path}H${rounded(isOfPage ? end : (x[to + 1] ?? end))}`;
  return from === to ? `${path}m${-dashWidth / 2} 0h${dashWidth}` : path;
}

/** A point between gaps has no line: a dash of this width shows it. */
const dashWidth = 4;

/** The last of the points from `point` to `to` that is in the same pixel column. */
export function lastOfPixel(point: number, to: number, x: Float64Array): number {
  const pixel = Math.floor(x[point] ?? 0);
  let last = point;
  while (last < to && Math.floor(x[last + 1] ?? 0) === pixel) last += 1;
  return last;
}

/** The points of one pixel column that a line needs: its first and last, and both extremes. */
function keptPoints(first: number, last: number, values: Float64Array): Iterable<number> {
  let [lowest, highest] = [first, first];
  for (let point = first; point <= last; point += 1) {
    const value = values[point] ?? 0;
    if (value < (values[lowest] ?? 0)) lowest = point;
    if (value > (values[highest] ?? 0)) highest = point;
  }
  return new Set([first, Math.min(lowest, highest), Math.max(lowest, highest), last]);
}

/** A tenth of a pixel is finer than what can be seen. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
