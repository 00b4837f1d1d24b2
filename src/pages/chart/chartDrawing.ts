import type { Display } from '../../base/display.ts';
import type { ChartData } from '../../protocol/chart.ts';
import { linear, timeTicks, type Scale, valueTicks } from './chartScales.ts';
import { barCount, floats, stackAt, type DrawnChart, type Values } from './chartSeries.ts';
import type { ChartOptions } from './chartText.ts';

/** A chart in CSS pixels, ready to be drawn. */
export type ChartDrawing = ReturnType<typeof chartDrawing>;

/** About the width of a digit in the small font of an axis. */
const digitWidth = 7;
const timeLabelWidth = 64;
const valueTickHeight = 40;
const [topSpace, axisHeight, rightSpace] = [8, 22, 8];

export function chartDrawing(
  { data, field }: Pick<ChartOptions['chart'], 'data' | 'field'>,
  numbers: DrawnChart,
  display: Display,
  { width, height }: { readonly width: number; readonly height: number },
) {
  const [top, bottom] = [topSpace, height - axisHeight];
  const values = valueTicks(
    numbers.min,
    numbers.max,
    Math.max(2, Math.floor((bottom - top) / valueTickHeight)),
  );
  const labels = values.map(({ text }) => display.figure(field, text));
  const left = 10 + digitWidth * Math.max(...labels.map(({ length }) => length));
  const right = Math.max(left + 1, width - rightSpace);
  const [first = 0] = data.from;
  const time = linear([first, data.to], [left, right]);
  const [lowest, highest] = [values[0]?.value ?? 0, values.at(-1)?.value ?? 1];
  const y = linear([lowest, highest], [bottom, top]);
  const x = floats(data.from, time);
  const count = Math.max(1, Math.floor((right - left) / timeLabelWidth));
  return {
    width,
    /** The edges of the area between the axes. */
    ...{ left, right, top, bottom },
    /** The place of each point on the time axis: where a bar begins, or where a line has its point. */
    x,
    /** Null if it is not within the value axis. */
    zero: lowest <= 0 && highest >= 0 ? rounded(y(0)) : null,
    valueTicks: values.map(({ value }, index) => ({
      at: rounded(y(value)),
      label: labels[index] ?? '',
    })),
    timeTicks: ticksOf(data, timeTicks(first, data.to, count, display.zone), time),
    /** Where figures may be missing. A short gap is seen, too. */
    gaps: data.gaps.map(({ from, to }) => ({
      at: rounded(time(from)),
      width: rounded(Math.max(2, time(to) - time(from))),
    })),
    /** One for each series: a line, or its bars above and below zero. */
    paths: seriesPaths(data, numbers, { x, end: right, y }),
    /** The place of a value of a series at a point; null where it has none. */
    yAt: (series: number, point: number): number | null => {
      const value = numbers.series[series]?.[point];
      return value === undefined || Number.isNaN(value) ? null : rounded(y(value));
    },
  };
}

/** A bar is named below its middle, and once; a point of a line at its place. */
function ticksOf(
  { kind, from, to }: ChartData,
  ticks: ReturnType<typeof timeTicks>,
  time: Scale,
): { readonly at: number; readonly label: string }[] {
  if (kind !== 'bars') return ticks.map(({ at, label }) => ({ at: rounded(time(at)), label }));
  const barAt = (at: number): number => from.findLastIndex((start) => start <= at);
  const named = Map.groupBy(
    ticks.filter(({ at }) => at < to),
    ({ at }) => barAt(at),
  );
  return [...named].flatMap(([bar, [tick]]) => {
    const [start = to, end = to] = from.slice(bar, bar + 2);
    return tick ? [{ at: rounded((time(start) + time(end)) / 2), label: tick.label }] : [];
  });
}

/** A line over bars goes through their middles. */
function seriesPaths(
  data: ChartData,
  { series }: DrawnChart,
  axes: Pick<Parameters<typeof barPaths>[0], 'x' | 'end' | 'y'>,
): (ReturnType<typeof barPaths>[number] | { readonly line: string })[] {
  const isStepped = data.kind === 'steps';
  const lines = (drawn: typeof series, x = axes.x) =>
    drawn.map((values) => ({ line: linePath({ ...axes, x, values, isStepped }) }));
  if (data.kind !== 'bars') return lines(series);
  const bars = barCount(data.series);
  const middles = axes.x.map((left, point) => (left + (axes.x[point + 1] ?? axes.end)) / 2);
  return [
    ...barPaths({ ...axes, series: series.slice(0, bars) }),
    ...lines(series.slice(bars), middles),
  ];
}

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
function lastOfPixel(point: number, to: number, x: Float64Array): number {
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

type BarOptions = {
  /** The left edges in CSS pixels, ascending, and where the last bar ends. */
  readonly x: Float64Array;
  readonly end: number;
  readonly series: readonly Values[];
  readonly y: Scale;
};

/** The parts of one series, above and below zero. */
type BarPaths = { readonly above: string; readonly below: string };

/** A bar so wide has a space beside it. */
const spacedWidth = 4;

/**
 * The paths of stacked bars. Of many points in one pixel column only the highest and the lowest stack
 * are drawn, so that no extreme is lost.
 */
export function barPaths({ x, end, series, y }: BarOptions): BarPaths[] {
  const parts = series.map(() => ({ above: [] as string[], below: [] as string[] }));
  const zero = y(0);
  const stack = (point: number, side: keyof BarPaths, left: number, width: number): void => {
    let base = 0;
    for (const [index, values] of series.entries()) {
      const value = values[point] ?? 0;
      if (side === 'above' ? !(value > 0) : !(value < 0)) continue;
      const [from, to] = [base === 0 ? zero : y(base), y((base += value))];
      parts[index]?.[side].push(bar(left, width, from, to));
    }
  };
  for (let point = 0; point < x.length;) {
    const left = x[point] ?? 0;
    const last = lastOfPixel(point, x.length - 1, x);
    const width = (x[last + 1] ?? end) - left;
    const space = width >= spacedWidth ? Math.min(3, width / 5) : 0;
    const place = [left + space / 2, Math.max(1, width - space)] as const;
    const { highest, lowest } = extremeStacks(point, last, series);
    stack(highest, 'above', ...place);
    stack(lowest, 'below', ...place);
    point = last + 1;
  }
  return parts.map(({ above, below }) => ({ above: above.join(''), below: below.join('') }));
}

/** A bar that is not zero is seen: it is at least a pixel high. */
function bar(left: number, width: number, from: number, to: number): string {
  const height = Math.abs(to - from) < 1 ? Math.sign(to - from || -1) : to - from;
  return `M${rounded(left)} ${rounded(from)}h${rounded(width)}v${rounded(height)}h${-rounded(width)}z`;
}

function extremeStacks(
  from: number,
  to: number,
  series: readonly Values[],
): { highest: number; lowest: number } {
  if (from === to) return { highest: from, lowest: from };
  let [highest, lowest, most, least] = [from, from, -Infinity, Infinity];
  for (let point = from; point <= to; point += 1) {
    const { above, below } = stackAt(point, series);
    if (above > most) [highest, most] = [point, above];
    if (below < least) [lowest, least] = [point, below];
  }
  return { highest, lowest };
}
