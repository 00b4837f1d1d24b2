import { plainText, type NumberText } from '../../base/decimal.ts';
import { postingDelayMs } from '../reconciliation/bracket.ts';
import type { Drawdown } from './analysis.ts';
import type { EquityFlow } from './equityFlows.ts';
import type { EquitySample } from './equitySamples.ts';
import { amountOf, atSameFraction, keyFraction } from './exactAmount.ts';

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
export function equityFalls(
  samples: readonly EquitySample[],
  flows: readonly EquityFlow[],
): EquityFalls {
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
    const isUnclear = (flows[next]?.time ?? Infinity) < to + postingDelayMs;
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
