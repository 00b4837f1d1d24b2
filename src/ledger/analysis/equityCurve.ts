import { always, covers, type Interval } from '../../base/interval.ts';
import { extremes, plainText, scaled, type NumberText } from '../../base/decimal.ts';
import type { LedgerHistory } from '../ledger.ts';
import type { Drawdown, EquityAnalysis, EquityBucket, DrawdownProblem } from './analysis.ts';
import { type AnalysisScope, analysisCoverage } from './analysisScope.ts';
import { equitySamples, equityUnit, sampleGaps, type EquitySample } from './equitySamples.ts';
import { textOf } from './exactAmount.ts';
import { dayMs, hourMs } from '../../base/time.ts';
import { groupedSums } from './groupedSums.ts';
import type { LearnedReading } from '../reconciliation/learnedReading.ts';
import { newestReading, readingIn } from './newestReading.ts';

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
  if (typeof found === 'string') return { problem: found };
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
  const { integers, fraction } = scaled([
    ...samples.map(({ equity }) => equity),
    ...flows.map(({ amount }) => amount),
  ]);
  const adjusted = withoutFlows(samples, flows, integers);
  const falls: Fall[] = [];
  const below = adjusted.map(fallsInto(falls));
  const dropOf = (fall: Fall, to: Sampled) => ({
    from: fall.peak.time,
    to: to.time,
    amount: plainText(depthOf(fall), fraction),
  });
  const deepest = firstLeast(falls, depthOf);
  const longest = firstLeast(falls, ({ peak, end }) => peak.time - end.time);
  return {
    below: below.map((value) => (value === null ? null : plainText(value, fraction))),
    deepest: deepest && dropOf(deepest, deepest.lowest),
    longest: longest && { ...dropOf(longest, longest.end), isOver: longest.isOver },
  };
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

/** How much each sample is below the highest one so far. */
function fallsInto(falls: Fall[]): (sample: Sampled | null) => bigint | null {
  let [peak, current]: [Sampled | undefined, Fall | undefined] = [undefined, undefined];
  return (sample) => {
    if (!sample) return null;
    if (current) current.end = sample;
    if (!peak || sample.value >= peak.value) {
      if (current) current.isOver = true;
      [peak, current] = [sample, undefined];
      return 0n;
    }
    if (!current) falls.push((current = { peak, lowest: sample, end: sample, isOver: false }));
    if (sample.value < current.lowest.value) current.lowest = sample;
    return sample.value - peak.value;
  };
}

/** The first of those with the least value. */
function firstLeast(falls: readonly Fall[], valueOf: (fall: Fall) => bigint | number): Fall | null {
  return falls.reduce<Fall | null>(
    (least, fall) => (least && valueOf(least) <= valueOf(fall) ? least : fall),
    null,
  );
}

function depthOf({ peak, lowest }: Fall): bigint {
  return lowest.value - peak.value;
}

/** A deposit, withdrawal or transfer: it changes equity without a gain or loss. */
type EquityFlow = { readonly time: number; readonly amount: NumberText };

const isFlow = `type IN ('DEPOSIT', 'WITHDRAW', 'TRANSFER_TO_SPOT', 'TRANSFER_TO_FUTURE')`;
const bothHistories: readonly LedgerHistory[] = ['futureTransactions', 'spotTransactions'];

/** How long the first and the last samples may lie beyond the transactions that were read. */
const longestBeyondMs = hourMs;

/** The flows between samples, as the transactions that the deposited balance follows have them. */
function equityFlows(
  scope: AnalysisScope,
  samples: readonly EquitySample[],
  unit: string | null,
): DrawdownProblem | KnownFlows {
  const learned = newestReading(scope.database, 'deposited', 'futureTransactions');
  const follows = bothHistories.filter((history) => learned?.reading.terms[history]);
  const known = knownSamples(scope, samples, learned ? follows : ['futureTransactions']);
  if (!known) return 'notCovered';
  const found = bothHistories
    .flatMap((history) => flowsIn(scope, history, known.span))
    .filter(({ asset }) => unit === null || asset === unit);
  if (found.length > 0 && unit === null) return 'unknownUnit';
  if (found.length > 0 && !learned) return 'notLearned';
  if (learned && isContradicted(scope, learned, unit, found)) return 'unexplainedFlow';
  const flows = found
    .filter(({ history }) => follows.includes(history))
    .sort((one, other) => one.time - other.time);
  return { ...known, flows };
}

/** Whether the deposited balance contradicts one of the flows, which may be older than the newest rows. */
function isContradicted(
  { database }: AnalysisScope,
  learned: LearnedReading,
  unit: string | null,
  flows: readonly EquityFlow[],
): boolean {
  if (flows.length === 0) return false;
  const times = flows.map(({ time }) => time);
  const around = { from: Math.min(...times) - dayMs, to: Math.max(...times) + dayMs };
  const contradictions = [learned, readingIn(database, 'deposited', around)]
    .filter((each) => each?.reading.name === learned.reading.name)
    .flatMap((each) => each?.judgement.get(unit ?? '')?.contradictions ?? []);
  return times.some((time) => contradictions.some(({ from, to }) => from <= time && time < to));
}

/** The samples between which they are known: from this index on, up to but without that one. */
type KnownSamples = { readonly span: Interval; readonly from: number; readonly to: number };
/** Oldest first. */
type KnownFlows = KnownSamples & { readonly flows: readonly EquityFlow[] };

/** The samples between which no transaction can be missing; undefined if those are not nearly all. */
function knownSamples(
  { database, request }: AnalysisScope,
  samples: readonly EquitySample[],
  histories: readonly LedgerHistory[],
): KnownSamples | undefined {
  const { complete } = analysisCoverage(database, histories, { ...request, period: always });
  const isKnown = (sample: EquitySample): boolean => covers(complete, sample);
  const [from, last] = [samples.findIndex(isKnown), samples.findLastIndex(isKnown)];
  const [first, end] = [samples[from], samples[last]];
  if (!first || !end) return undefined;
  const span = { from: first.from, to: end.to };
  const beyondMs = Math.max(
    span.from - (samples[0]?.from ?? 0),
    (samples.at(-1)?.to ?? 0) - span.to,
  );
  return beyondMs <= longestBeyondMs && covers(complete, span)
    ? { span, from, to: last + 1 }
    : undefined;
}

function flowsIn({ database }: AnalysisScope, history: LedgerHistory, interval: Interval) {
  const query = {
    history,
    field: 'amount',
    interval,
    where: isFlow,
    keys: ['time', 'asset'],
  } as const;
  return [...groupedSums(database, query)].map(({ keys, amount }) => ({
    ...{ history, asset: keys.asset },
    ...{ time: Number(keys.time), amount: textOf(amount) },
  }));
}
