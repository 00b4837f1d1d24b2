import type { DatabaseSync } from 'node:sqlite';
import { clip } from '../coverage/intervals.ts';
import { coverageParts } from '../coverage/coverageParts.ts';
import type { Interval, LedgerHistory } from '../ledger.ts';
import { WalkStore } from '../storage/walkStore.ts';
import type { DrawdownProblem } from './analysis.ts';
import { type EquitySample, checkpointOf } from './equitySamples.ts';
import { type ExactAmount, textOf, zeroAmount } from './exactAmount.ts';
import { groupedSums, sumsByAsset } from './groupedSums.ts';
import { difference, isSame, type NumberText } from '../../base/decimal.ts';
import { postingDelayMs } from '../reconciliation/bracket.ts';

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

type Histories = readonly LedgerHistory[];

const flowTypes = ['DEPOSIT', 'WITHDRAW', 'TRANSFER_TO_SPOT', 'TRANSFER_TO_FUTURE'];
const bothHistories = ['futureTransactions', 'spotTransactions'] as const;

/**
 * It is not documented which transactions a balance follows: the first of these that fits is taken. Flows of SPOT
 * have to prove that it follows them.
 */
const readings: readonly Histories[] = [
  ['futureTransactions'],
  ['spotTransactions'],
  bothHistories,
];

/**
 * The flows between samples. Around each of them, and over each time whose transactions are not known to be
 * complete, the balance has to change as the transactions say: otherwise a flow may be wrong or unknown.
 */
export function equityFlows(
  database: DatabaseSync,
  samples: readonly EquitySample[],
  unit: string | null,
): EquityFlows {
  const { from, to } = judgedRange(database, samples, unit);
  const judged = samples.slice(from, to);
  const span = { from: judged[0]?.from ?? 0, to: judged.at(-1)?.to ?? 0 };
  const flows = bothHistories.flatMap((history) => flowsIn(database, history, span, unit));
  if (unit === null && flows.length > 0) return { problem: 'unknownUnit' };
  const moments = flows.map(({ time }) => ({ from: time, to: time }));
  const isProvable = (histories: Histories): boolean =>
    !histories.includes('spotTransactions') ||
    flows.some(({ history }) => history === 'spotTransactions');
  let first: DrawdownProblem | undefined;
  for (const histories of readings.filter(isProvable)) {
    const follow = (intervals: readonly Interval[]): boolean =>
      balancesFollow({ database, samples: judged, unit, histories }, intervals);
    const gaps = histories.flatMap((history) => gapsIn(database, history, span));
    const problem = !follow(moments) ? 'unexplainedFlow' : !follow(gaps) ? 'notCovered' : null;
    if (problem === null) return { problem, flows: ownFlows(flows, histories), from, to };
    first ??= problem;
  }
  return { problem: first ?? 'notCovered' };
}

type HistoryFlow = EquityFlow & { readonly history: LedgerHistory };

function ownFlows(flows: readonly HistoryFlow[], histories: Histories): readonly EquityFlow[] {
  return flows
    .filter(({ history }) => histories.includes(history))
    .sort((one, other) => one.time - other.time);
}

/** Of every asset if the unit is not known. */
function flowsIn(
  database: DatabaseSync,
  history: LedgerHistory,
  interval: Interval,
  unit: string | null,
): readonly HistoryFlow[] {
  const types = { are: 'in', names: flowTypes } as const;
  const query = { history, field: 'amount', interval, types } as const;
  return [...groupedSums(database, { ...query, keys: ['time', 'asset'] })]
    .filter(({ keys }) => unit === null || keys.asset === unit)
    .map(({ keys, amount }) => ({ time: Number(keys.time), amount, history }));
}

/** Without the first and last samples whose transactions are not known yet, or that a flow may be in or not. */
function judgedRange(
  database: DatabaseSync,
  samples: readonly EquitySample[],
  unit: string | null,
): { readonly from: number; readonly to: number } {
  const isClear = (sample: EquitySample): boolean => {
    const window = windowOf(sample);
    const isKnown = gapsIn(database, 'futureTransactions', window).length === 0;
    const found = bothHistories.flatMap((history) => flowsIn(database, history, window, unit));
    return isKnown && found.length === 0;
  };
  const of = { database, samples, unit };
  const [first, last] = [samples[0], samples.at(-1)];
  const from = !first || isClear(first) ? 0 : clearSample(of, 0, 1);
  const end = samples.length - 1;
  const to = !last || isClear(last) ? end : clearSample(of, end, -1);
  return { from: from ?? 0, to: (to ?? end) + 1 };
}

function gapsIn(
  database: DatabaseSync,
  history: LedgerHistory,
  span: Interval,
): readonly Interval[] {
  const reads = new WalkStore(database).coverage(history);
  const parts = coverageParts(history, reads, span);
  return clip(
    parts.filter(({ completeness }) => completeness !== 'complete'),
    span,
  );
}

type Balances = {
  readonly database: DatabaseSync;
  /** Oldest first. */
  readonly samples: readonly EquitySample[];
  /** The asset that is compared; null: every asset. */
  readonly unit: string | null;
};

/** How many samples are tried to find a clear one. */
const mostTried = 20;
const allTransactions = ['futureTransactions', 'spotTransactions'] as const;

/**
 * Whether the balances change as the transactions of these histories say, from the sample before each interval to
 * the one after it.
 */
function balancesFollow(
  balances: Balances & { readonly histories: readonly LedgerHistory[] },
  intervals: readonly Interval[],
): boolean {
  const { samples } = balances;
  const checked = new Set<string>();
  return intervals.every(({ from, to }) => {
    const first = clearSample(balances, Math.max(0, firstAfter(samples, from) - 1), -1);
    const last = clearSample(balances, firstAfter(samples, to), 1);
    const [before, after] = [samples[first ?? -1], samples[last ?? -1]];
    if (!before || !after) return false;
    const key = `${first} ${last}`;
    if (checked.has(key)) return true;
    checked.add(key);
    return follows(balances, before, after);
  });
}

/** The index of the first sample from here on that no transaction may be in or not; undefined if none is near. */
function clearSample(
  { database, samples, unit }: Balances,
  start: number,
  step: -1 | 1,
): number | undefined {
  for (let tried = 0; tried < mostTried; tried += 1) {
    const index = start + tried * step;
    const sample = samples[index];
    if (!sample) return undefined;
    const rows = sumsByAsset(database, allTransactions, windowOf(sample));
    if (unit === null ? rows.size === 0 : !rows.has(unit)) return index;
  }
  return undefined;
}

/** The times of rows that may be in a sample or not. */
function windowOf({ from, to }: EquitySample): Interval {
  return { from, to: to + postingDelayMs };
}

function follows(
  { database, unit, histories }: Parameters<typeof balancesFollow>[0],
  before: EquitySample,
  after: EquitySample,
): boolean {
  const [earlier, later] = [balancesOf(database, before), balancesOf(database, after)];
  if (!earlier || !later) return false;
  const rows = sumsByAsset(database, histories, { from: before.to, to: after.from });
  const assets = unit === null ? new Set([...earlier.keys(), ...later.keys()]) : [unit];
  return [...assets].every((asset) => {
    const change = difference(later.get(asset) ?? '0', earlier.get(asset) ?? '0');
    return isSame(change, textOf(rows.get(asset) ?? zeroAmount));
  });
}

function balancesOf(
  database: DatabaseSync,
  sample: EquitySample,
): ReadonlyMap<string, NumberText> | null {
  const { assets } = checkpointOf(database, sample);
  const known = assets?.flatMap(({ name, deposited }) =>
    deposited === null ? [] : [[name, deposited] as const],
  );
  return known && known.length === assets?.length ? new Map(known) : null;
}

/** The index of the first sample that was asked for after a time; the last one if none was. */
function firstAfter(samples: readonly EquitySample[], time: number): number {
  let [low, high] = [0, Math.max(0, samples.length - 1)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((samples[middle]?.from ?? time) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
