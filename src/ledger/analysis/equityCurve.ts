import { extremes } from '../../base/decimal.ts';
import type { Interval } from '../ledger.ts';
import type { Drawdown, EquityAnalysis, EquityBucket } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { equityFalls } from './drawdown.ts';
import { equityFlows, type EquityFlows } from './equityFlows.ts';
import { equitySamples, equityUnit, sampleGaps, type EquitySample } from './equitySamples.ts';

/** More samples than four times this are drawn in so many parts. */
const mostParts = 2000;

type Curve = Omit<EquityAnalysis, 'view' | 'period' | 'coverage' | 'groupBy' | 'buckets'>;

/** Equity as far as samples of it are stored. */
export function equityCurve({ database, period, calendar }: AnalysisScope): Curve {
  const samples = equitySamples(database, period);
  const unit = equityUnit(database, samples);
  const drawn = drawnSamples(samples);
  return {
    unit,
    samples: samples.length,
    gaps: sampleGaps(samples),
    times: drawn.map((index) => samples[index]?.time ?? 0),
    values: drawn.map((index) => samples[index]?.equity ?? '0'),
    groups: groupsOf(samples, calendar.buckets),
    drawdown:
      samples.length < 2
        ? { problem: 'noSamples' }
        : drawdownOf(samples, drawn, equityFlows(database, samples, unit)),
  };
}

function drawdownOf(
  samples: readonly EquitySample[],
  drawn: readonly number[],
  found: EquityFlows,
): Drawdown {
  if (found.problem !== null) return found;
  const { flows, from, to } = found;
  const { below, deepest, longest } = equityFalls(samples.slice(from, to), flows);
  const values = drawn.map((index) => below[index - from] ?? null);
  return { problem: null, flows: flows.length, values, deepest, longest };
}

/** The indexes of all samples; of many, the first, lowest, highest and last of each part. */
function drawnSamples(samples: readonly EquitySample[]): readonly number[] {
  const size = samples.length <= 4 * mostParts ? 1 : Math.ceil(samples.length / mostParts);
  const drawn = new Set<number>();
  for (let start = 0; start < samples.length; start += size) {
    const part = samples.slice(start, start + size).map(({ equity }) => equity);
    const { min, max } = extremes(part);
    const inPart = [0, part.indexOf(min), part.indexOf(max), part.length - 1];
    for (const index of inPart.sort((one, other) => one - other)) drawn.add(start + index);
  }
  return [...drawn];
}

function groupsOf(
  samples: readonly EquitySample[],
  buckets: readonly Interval[],
): readonly (EquityBucket | null)[] {
  let next = 0;
  return buckets.map(({ to }) => {
    const start = next;
    while ((samples[next]?.time ?? to) < to) next += 1;
    return groupOf(samples.slice(start, next).map(({ equity }) => equity));
  });
}

function groupOf(values: readonly string[]): EquityBucket | null {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { min, max } = extremes(values);
  return { first, lowest: min, highest: max, last, samples: values.length };
}
