import { dayMs, hourMs } from '../../base/time.ts';
import { contain } from '../coverage/intervals.ts';
import type { Interval, LedgerHistory } from '../ledger.ts';
import type { DrawdownProblem } from './analysis.ts';
import { analysisCoverage } from './analysisCoverage.ts';
import type { AnalysisScope } from './analysisScope.ts';
import type { EquitySample } from './equitySamples.ts';
import type { ExactAmount } from './exactAmount.ts';
import { groupedSums } from './groupedSums.ts';
import type { LearnedReading } from '../reconciliation/learnedReading.ts';
import { newestReading, readingIn } from './newestReading.ts';

/** A deposit, withdrawal or transfer: it changes equity without a gain or loss. */
export type EquityFlow = { readonly time: number; readonly amount: ExactAmount };

type EquityFlows =
  | { readonly problem: DrawdownProblem }
  | {
      readonly problem: null;
      /** Oldest first. */
      readonly flows: readonly EquityFlow[];
      /** The samples between which they are known: from this index on, up to but without that one. */
      readonly from: number;
      readonly to: number;
    };

const flowTypes = ['DEPOSIT', 'WITHDRAW', 'TRANSFER_TO_SPOT', 'TRANSFER_TO_FUTURE'];
const bothHistories: readonly LedgerHistory[] = ['futureTransactions', 'spotTransactions'];

/** How long the first and the last samples may lie beyond the transactions that were read. */
const longestBeyondMs = hourMs;

/** The flows between samples, as the transactions that the deposited balance follows have them. */
export function equityFlows(
  scope: AnalysisScope,
  samples: readonly EquitySample[],
  unit: string | null,
): EquityFlows {
  const learned = newestReading(scope.database, 'deposited', 'futureTransactions');
  const follows = bothHistories.filter((history) => learned?.reading.terms[history]);
  const known = knownSamples(scope, samples, learned ? follows : ['futureTransactions']);
  if (!known) return { problem: 'notCovered' };
  const found = bothHistories
    .flatMap((history) => flowsIn(scope, history, known.span))
    .filter(({ asset }) => unit === null || asset === unit);
  if (found.length > 0 && unit === null) return { problem: 'unknownUnit' };
  if (found.length > 0 && !learned) return { problem: 'notLearned' };
  if (learned && isContradicted(scope, learned, unit, found)) return { problem: 'unexplainedFlow' };
  const flows = found
    .filter(({ history }) => follows.includes(history))
    .sort((one, other) => one.time - other.time);
  return { problem: null, flows, from: known.from, to: known.to };
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

type KnownSamples = { readonly span: Interval; readonly from: number; readonly to: number };

/** The samples between which no transaction can be missing; undefined if those are not nearly all. */
function knownSamples(
  { database, request }: AnalysisScope,
  samples: readonly EquitySample[],
  histories: readonly LedgerHistory[],
): KnownSamples | undefined {
  const { complete } = analysisCoverage(database, histories, { ...request, period: {} });
  const isKnown = (sample: EquitySample): boolean => contain(complete, sample);
  const [from, last] = [samples.findIndex(isKnown), samples.findLastIndex(isKnown)];
  const [first, end] = [samples[from], samples[last]];
  if (!first || !end) return undefined;
  const span = { from: first.from, to: end.to };
  const beyondMs = Math.max(
    span.from - (samples[0]?.from ?? 0),
    (samples.at(-1)?.to ?? 0) - span.to,
  );
  return beyondMs <= longestBeyondMs && contain(complete, span)
    ? { span, from, to: last + 1 }
    : undefined;
}

function flowsIn({ database }: AnalysisScope, history: LedgerHistory, interval: Interval) {
  const types = { are: 'in', names: flowTypes } as const;
  const query = { history, field: 'amount', interval, types, keys: ['time', 'asset'] } as const;
  return [...groupedSums(database, query)].map(({ keys, amount }) => ({
    ...{ history, asset: keys.asset },
    ...{ time: Number(keys.time), amount },
  }));
}
