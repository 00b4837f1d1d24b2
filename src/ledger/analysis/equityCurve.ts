import { extremes, type NumberText } from '../../base/decimal.ts';
import type { Interval } from '../ledger.ts';
import type { Drawdown, EquityAnalysis, EquityBucket } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { equityFalls } from './drawdown.ts';
import { equityFlows } from './equityFlows.ts';
import { equitySamples, equityUnit, sampleGaps, type EquitySample } from './equitySamples.ts';

/** How many parts a curve is drawn in if it has more than four times as many samples: each with five samples at most. */
const mostParts = 2000;

type Curve = Omit<EquityAnalysis, 'view' | 'period' | 'coverage' | 'groupBy' | 'buckets'>;

/** Equity as far as samples of it are stored. */
export function equityCurve({ database, period, calendar }: AnalysisScope): Curve {
  const samples = equitySamples(database, period);
  const unit = equityUnit(database, samples);
  const drawdown = drawdownOf(database, samples, unit);
  const below = drawdown.problem === null ? drawdown.values : [];
  const drawn = drawnSamples(samples, below);
  return {
    unit,
    samples: samples.length,
    gaps: sampleGaps(samples),
    times: drawn.map((index) => samples[index]?.time ?? 0),
    values: drawn.map((index) => samples[index]?.equity ?? '0'),
    groups: groupsOf(samples, calendar.buckets),
    drawdown:
      drawdown.problem === null
        ? { ...drawdown, values: drawn.map((index) => below[index] ?? null) }
        : drawdown,
  };
}

/** With the value of every sample. */
function drawdownOf(
  database: AnalysisScope['database'],
  samples: readonly EquitySample[],
  unit: string | null,
): Drawdown {
  if (samples.length < 2) return { problem: 'noSamples' };
  const found = equityFlows(database, samples, unit);
  if (found.problem !== null) return found;
  const { flows, from, to } = found;
  const { below, deepest, longest } = equityFalls(samples.slice(from, to), flows);
  const values = samples.map((_sample, index) => below[index - from] ?? null);
  return { problem: null, flows: flows.length, values, deepest, longest };
}

/** The indexes of all samples; of many, those that stand out in each part. */
function drawnSamples(
  samples: readonly EquitySample[],
  below: readonly (NumberText | null)[],
): readonly number[] {
  const size = samples.length <= 4 * mostParts ? 1 : Math.ceil(samples.length / mostParts);
  const drawn = new Set<number>();
  for (let start = 0; start < samples.length; start += size) {
    const part = samples.slice(start, start + size).map(({ equity }) => equity);
    const { min, max } = extremes(part);
    const falls = below.slice(start, start + size);
    const known = falls.filter((each) => each !== null);
    // The deepest fall may be from a peak in this part, or after a deposit: then equity is not the lowest.
    const deepest = known.length === 0 ? 0 : falls.indexOf(extremes(known).min);
    const inPart = [0, part.indexOf(min), part.indexOf(max), deepest, part.length - 1];
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
