import { extremes, type NumberText, plainText } from '../../base/decimal.ts';
import type { Interval } from '../ledger.ts';
import type { Drawdown, EquityAnalysis, EquityBucket } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { equityFlows, type EquityFlow } from './equityFlows.ts';
import { equitySamples, equityUnit, sampleGaps, type EquitySample } from './equitySamples.ts';
import { amountOf, atSameFraction, keyFraction } from './exactAmount.ts';

/** How many parts a curve is drawn in if it has more than four times as many samples: each with five samples at most. */
const mostParts = 2000;

type Curve = Omit<EquityAnalysis, 'view' | 'period' | 'coverage' | 'groupBy' | 'buckets'>;

/** Equity as far as samples of it are stored. */
export function equityCurve(scope: AnalysisScope): Curve {
  const { database, period, calendar } = scope;
  const samples = equitySamples(database, period);
  const unit = equityUnit(database, samples);
  const drawdown = drawdownOf(scope, samples, unit);
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
  scope: AnalysisScope,
  samples: readonly EquitySample[],
  unit: string | null,
): Drawdown {
  if (samples.length < 2) return { problem: 'noSamples' };
  const found = equityFlows(scope, samples, unit);
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

type Computed = Extract<Drawdown, { readonly problem: null }>;

/** The falls of equity below its highest sample so far, without the flows. */
type EquityFalls = Pick<Computed, 'deepest' | 'longest'> & {
  /** Of each sample: 0 or negative; null if a flow may be in it or not. */
  readonly below: readonly (NumberText | null)[];
};

type Sampled = { readonly time: number; readonly value: bigint };
type Fall = {
  readonly peak: Sampled;
  lowest: Sampled;
  /** The first sample that reaches the peak again, or the last one so far. */
  end: Sampled;
  isOver: boolean;
};

/** `flows` oldest first. */
function equityFalls(samples: readonly EquitySample[], flows: readonly EquityFlow[]): EquityFalls {
  const amounts = [
    ...samples.map(({ equity }) => amountOf(equity)),
    ...flows.map(({ amount }) => amount),
  ];
  const integers = atSameFraction(amounts);
  const fraction = amounts.reduce((most, amount) => Math.max(most, amount.fraction), keyFraction);
  const adjusted = withoutFlows(samples, flows, integers);
  const falls = new Falls();
  const below = adjusted.map((value) =>
    value === null ? null : plainText(falls.add(value), fraction),
  );
  return { below, ...falls.extremes((integer) => plainText(integer, fraction)) };
}

/** Null while a flow may be in a sample or not. `integers` has the samples, then the flows. */
function withoutFlows(
  samples: readonly EquitySample[],
  flows: readonly EquityFlow[],
  integers: readonly bigint[],
): (Sampled | null)[] {
  let [next, flowed] = [0, 0n];
  return samples.map(({ time, from, to }, index) => {
    for (let flow = flows[next]; flow && flow.time < from; flow = flows[next]) {
      flowed += integers[samples.length + next] ?? 0n;
      next += 1;
    }
    const isUnclear = (flows[next]?.time ?? Infinity) < to;
    return isUnclear ? null : { time, value: (integers[index] ?? 0n) - flowed };
  });
}

class Falls {
  private peak: Sampled | undefined;
  private current: Fall | undefined;
  private deepest: Fall | undefined;
  private longest: Fall | undefined;

  /** How much a sample is below the highest one so far. */
  add(sample: Sampled): bigint {
    const peak = this.peak ?? sample;
    if (this.current) this.current.end = sample;
    if (sample.value >= peak.value) {
      if (this.current) this.current.isOver = true;
      this.keepLonger();
      this.current = undefined;
      this.peak = sample;
      return 0n;
    }
    this.current ??= { peak, lowest: sample, end: sample, isOver: false };
    if (sample.value < this.current.lowest.value) this.current.lowest = sample;
    if (!this.deepest || depthOf(this.current) < depthOf(this.deepest)) this.deepest = this.current;
    return sample.value - peak.value;
  }

  extremes(textOf: (integer: bigint) => NumberText): Pick<Computed, 'deepest' | 'longest'> {
    this.keepLonger();
    const dropOf = (fall: Fall, to: Sampled) => ({
      from: fall.peak.time,
      to: to.time,
      amount: textOf(depthOf(fall)),
    });
    const { deepest, longest } = this;
    return {
      deepest: deepest ? dropOf(deepest, deepest.lowest) : null,
      longest: longest ? { ...dropOf(longest, longest.end), isOver: longest.isOver } : null,
    };
  }

  private keepLonger(): void {
    const { current, longest } = this;
    if (current && (!longest || lengthOf(current) > lengthOf(longest))) this.longest = current;
  }
}

function depthOf({ peak, lowest }: Fall): bigint {
  return lowest.value - peak.value;
}

function lengthOf({ peak, end }: Fall): number {
  return end.time - peak.time;
}
