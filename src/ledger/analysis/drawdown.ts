import {
  added,
  amountOf,
  less,
  signOf,
  textOf,
  zeroAmount,
  type Amount,
  type NumberText,
} from '../../base/decimal.ts';
import { always, contains, covers, type Interval } from '../../base/interval.ts';
import { dayMs, hourMs } from '../../base/time.ts';
import { transactionHistories, type LedgerHistory } from '../ledger.ts';
import type { LearnedReading } from '../reconciliation/learnedReading.ts';
import { groupedSums } from '../storage/sums.ts';
import type { Drawdown, DrawdownProblem } from './analysis.ts';
import { contradictionsAround, newestReading } from './newestReading.ts';
import { analysisCoverage, type AnalysisScope } from './scope.ts';

/** A stored figure of the equity; a row between its ends may be in it or not. */
export type EquitySample = Interval & {
  /** When the answer came, in epoch milliseconds of the exchange. */
  readonly time: number;
  readonly equity: NumberText;
  readonly row: number;
};

/** A deposit, withdrawal or transfer: it changes equity without a gain or loss. */
type EquityFlow = { readonly time: number; readonly amount: Amount };

type Computed = Extract<Drawdown, { readonly problem: null }>;
type Sampled = { readonly time: number; readonly value: Amount };
type Fall = {
  readonly peak: Sampled;
  lowest: Sampled;
  /** The first sample that reaches the peak again, or the last one so far. */
  end: Sampled;
  isOver: boolean;
};

/** The falls of equity below its highest sample so far, without the flows; with the value of every sample. */
export function drawdownOf(
  scope: AnalysisScope,
  samples: readonly EquitySample[],
  unit: string | null,
): Drawdown {
  if (samples.length < 2) return { problem: 'noSamples' };
  const found = equityFlows(scope, samples, unit);
  if (typeof found === 'string') return { problem: found };
  const { flows, from, to } = found;
  const falls: Fall[] = [];
  const below = withoutFlows(samples.slice(from, to), flows).map(fallsInto(falls));
  const values = samples.map((_sample, index) => {
    const fall = below[index - from] ?? null;
    return fall && textOf(fall);
  });
  return { problem: null, flows: flows.length, values, ...extremesOf(falls) };
}

/** Null while a flow may be in a sample or not. */
function withoutFlows(
  samples: readonly EquitySample[],
  flows: readonly EquityFlow[],
): (Sampled | null)[] {
  let [next, flowed] = [0, zeroAmount];
  return samples.map(({ time, from, to, equity }) => {
    for (let flow = flows[next]; flow && flow.time < from; flow = flows[next]) {
      flowed = added(flowed, flow.amount);
      next += 1;
    }
    const isUnclear = (flows[next]?.time ?? Infinity) < to;
    return isUnclear ? null : { time, value: less(amountOf(equity), flowed) };
  });
}

/** How much each sample is below the highest one so far: 0 or negative. */
function fallsInto(falls: Fall[]): (sample: Sampled | null) => Amount | null {
  let [peak, current]: [Sampled | undefined, Fall | undefined] = [undefined, undefined];
  return (sample) => {
    if (!sample) return null;
    if (current) current.end = sample;
    const fall = peak ? less(sample.value, peak.value) : zeroAmount;
    if (!peak || signOf(fall) >= 0) {
      if (current) current.isOver = true;
      [peak, current] = [sample, undefined];
      return zeroAmount;
    }
    if (!current) falls.push((current = { peak, lowest: sample, end: sample, isOver: false }));
    if (signOf(less(sample.value, current.lowest.value)) < 0) current.lowest = sample;
    return fall;
  };
}

/** The first of the deepest falls, and of the longest. */
function extremesOf(falls: readonly Fall[]): Pick<Computed, 'deepest' | 'longest'> {
  const first = (isMore: (fall: Fall, than: Fall) => boolean): Fall | null =>
    falls.reduce<Fall | null>((most, fall) => (most && !isMore(fall, most) ? most : fall), null);
  const lengthOf = ({ peak, end }: Fall): number => end.time - peak.time;
  const deepest = first((fall, than) => signOf(less(depthOf(fall), depthOf(than))) < 0);
  const longest = first((fall, than) => lengthOf(fall) > lengthOf(than));
  const dropOf = (fall: Fall, to: Sampled) => ({
    from: fall.peak.time,
    to: to.time,
    amount: textOf(depthOf(fall)),
  });
  return {
    deepest: deepest && dropOf(deepest, deepest.lowest),
    longest: longest && { ...dropOf(longest, longest.end), isOver: longest.isOver },
  };
}

function depthOf({ peak, lowest }: Fall): Amount {
  return less(lowest.value, peak.value);
}

const isFlow = `type IN ('DEPOSIT', 'WITHDRAW', 'TRANSFER_TO_SPOT', 'TRANSFER_TO_FUTURE')`;
const bothHistories: readonly LedgerHistory[] = Object.values(transactionHistories);

/** How long the first and the last samples may lie beyond the transactions that were read. */
const longestBeyondMs = hourMs;

/** The samples between which they are known: from this index on, up to but without that one. */
type KnownSamples = { readonly span: Interval; readonly from: number; readonly to: number };
/** Oldest first. */
type KnownFlows = KnownSamples & { readonly flows: readonly EquityFlow[] };

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
  const contradictions = contradictionsAround(database, learned, around)(unit ?? '');
  return times.some((time) => contradictions.some((each) => contains(each, time)));
}

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
  const groups = { time: 'time', asset: 'asset' };
  const query = { history, field: 'amount', interval, where: isFlow, groups } as const;
  return [...groupedSums(database, query)].map(({ keys: { asset, time }, amount }) => ({
    ...{ history, asset, amount },
    time: Number(time),
  }));
}
