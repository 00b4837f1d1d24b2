import { lastOfPixel, rounded } from './linePath.ts';
import type { Scale } from './chartScales.ts';
import { stackAt, type Values } from './chartSeries.ts';

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
