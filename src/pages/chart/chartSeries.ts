import type { ChartData } from '../../protocol/chart.ts';

/** The values of a series: NaN where it has none. Only these are floats: what is read out is the exact text. */
export type Values = Float64Array;
export type DrawnChart = ReturnType<typeof drawnChart>;

/** Far beyond every amount, but sums and products of it are finite. */
const most = 1e300;

/** The numbers of a chart. Bars of several series are stacked, so that their extremes are those of the stacks. */
export function drawnChart({ kind, series: all }: Pick<ChartData, 'kind' | 'series'>) {
  const series = all.map(({ values }) => floats(values, drawnValue));
  if (kind !== 'bars') return { series, ...extremes(series) };
  const bars = stackExtremes(series.slice(0, barCount(all)));
  const lines = extremes(series.slice(barCount(all)));
  const [min, max] = [Math.min(bars.min, lines.min), Math.max(bars.max, lines.max)];
  return { series, min, max };
}

/** How many series are bars: lines come after them. */
export function barCount(series: ChartData['series']): number {
  return series.filter(({ isLine = false }) => !isLine).length;
}

function drawnValue(text: string | null): number {
  return text === null ? Number.NaN : Math.min(most, Math.max(-most, Number(text)));
}

/** `Float64Array.from`, which takes several times as long for 100,000 values. */
export function floats<Value>(
  values: readonly Value[],
  toFloat: (value: Value) => number,
): Float64Array {
  const result = new Float64Array(values.length);
  for (let index = 0; index < values.length; index += 1)
    result[index] = toFloat(values[index] as Value);
  return result;
}

function extremes(series: readonly Values[]): { min: number; max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (const values of series)
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  return min > max ? { min: 0, max: 0 } : { min, max };
}

/** With zero, on which bars stand. */
function stackExtremes(series: readonly Values[]): { min: number; max: number } {
  let [min, max] = [0, 0];
  for (const point of series[0]?.keys() ?? []) {
    const { above, below } = stackAt(point, series);
    min = Math.min(min, below);
    max = Math.max(max, above);
  }
  return { min, max };
}

/** The ends of the bars of a point, which are stacked by their signs. */
export function stackAt(
  point: number,
  series: readonly Values[],
): { above: number; below: number } {
  let [above, below] = [0, 0];
  for (const values of series) {
    const value = values[point] ?? 0;
    if (value > 0) above += value;
    else if (value < 0) below += value;
  }
  return { above, below };
}
