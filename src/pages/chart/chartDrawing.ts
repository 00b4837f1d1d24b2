import type { Display } from '../../base/display.ts';
import type { ChartData } from '../../protocol/chart.ts';
import type { ChartOptions } from './chartText.ts';
import { barPaths, linePath, rounded } from './paths.ts';
import { linear, timeTicks, valueTicks, type Scale } from './chartScales.ts';
import { barCount, floats, type DrawnChart } from './chartSeries.ts';

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
