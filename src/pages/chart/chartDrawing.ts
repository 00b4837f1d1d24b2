import type { NumberText } from '../../base/decimal.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { ChartData } from '../../protocol/chart.ts';
import { barPaths } from './barPaths.ts';
import { linear, timeTicks, valueTicks, type TimeTick, type ValueTick } from './chartScales.ts';
import { floats, type DrawnChart } from './chartSeries.ts';
import { linePath, rounded } from './linePath.ts';

type Size = { readonly width: number; readonly height: number };

/** A chart in CSS pixels, ready to be drawn. */
export type ChartDrawing = Size & {
  /** The edges of the area between the axes. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Where zero is; null if it is not within the value axis. */
  readonly zero: number | null;
  readonly valueTicks: readonly { readonly at: number; readonly label: string }[];
  readonly timeTicks: readonly TimeTick[];
  /** Where figures may be missing. */
  readonly gaps: readonly { readonly at: number; readonly width: number }[];
  /** One for each series: a line, or its bars above and below zero. */
  readonly paths: readonly SeriesPaths[];
  /** The place of each point on the time axis: where a bar begins, or where a line has its point. */
  readonly x: Float64Array;
  /** The place of a value of a series at a point; null where it has none. */
  readonly yAt: (series: number, point: number) => number | null;
};

export type SeriesPaths =
  | { readonly line: string }
  | { readonly above: string; readonly below: string };

type DrawingOptions = Size & {
  readonly data: ChartData;
  readonly numbers: DrawnChart;
  readonly zone: TimeZone;
  readonly tickLabel: (value: NumberText) => string;
};

/** About the width of a digit in the small font of an axis. */
const digitWidth = 7;
const timeLabelWidth = 64;
const valueTickHeight = 40;
const [topSpace, axisHeight, rightSpace] = [8, 22, 8];

/** The numbers of a chart, which are made once, and its drawing of a size. */
export function chartDrawing(options: DrawingOptions): ChartDrawing {
  const { data, numbers, zone, width, height, tickLabel } = options;
  const [top, bottom] = [topSpace, height - axisHeight];
  const values = valueTicks(
    numbers.min,
    numbers.max,
    Math.max(2, Math.floor((bottom - top) / valueTickHeight)),
  );
  const labels = values.map(({ text }) => tickLabel(text));
  const left = 10 + digitWidth * Math.max(...labels.map(({ length }) => length));
  const right = Math.max(left + 1, width - rightSpace);
  const [first = 0] = data.from;
  const time = linear([first, data.to], [left, right]);
  const [lowest, highest] = ends(values);
  const y = linear([lowest, highest], [bottom, top]);
  const x = floats(data.from, time);
  const count = Math.max(1, Math.floor((right - left) / timeLabelWidth));
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    x,
    zero: lowest <= 0 && highest >= 0 ? rounded(y(0)) : null,
    valueTicks: values.map(({ value }, index) => ({
      at: rounded(y(value)),
      label: labels[index] ?? '',
    })),
    timeTicks: timeTicks(first, data.to, count, zone).map(({ at, label }) => ({
      at: rounded(time(at)),
      label,
    })),
    // A short gap is seen, too.
    gaps: data.gaps.map(({ from, to }) => ({
      at: rounded(time(from)),
      width: rounded(Math.max(2, time(to) - time(from))),
    })),
    paths: seriesPaths(data, numbers, { x, end: right, y }),
    yAt: (series, point) => {
      const value = numbers.series[series]?.values[point];
      return value === undefined || Number.isNaN(value) ? null : rounded(y(value));
    },
  };
}

function ends(ticks: readonly ValueTick[]): readonly [number, number] {
  return [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1];
}

type Axes = { readonly x: Float64Array; readonly end: number; readonly y: (v: number) => number };

function seriesPaths(
  { kind }: ChartData,
  { series }: DrawnChart,
  axes: Axes,
): readonly SeriesPaths[] {
  if (kind === 'bars') return barPaths({ ...axes, series });
  const isStepped = kind === 'steps';
  return series.map(({ values }) => ({ line: linePath({ ...axes, values, isStepped }) }));
}
