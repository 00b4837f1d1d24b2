import type { DatabaseSync } from 'node:sqlite';
import { difference, isSame, type NumberText } from '../../base/decimal.ts';
import type { Interval, LedgerHistory } from '../ledger.ts';
import { postingDelayMs } from '../reconciliation/bracket.ts';
import { checkpointOf, type EquitySample } from './equitySamples.ts';
import { added, textOf, zeroAmount, type ExactAmount } from './exactAmount.ts';
import { groupedSums } from './groupedSums.ts';

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
export function balancesFollow(
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
export function clearSample(
  { database, samples, unit }: Balances,
  start: number,
  step: -1 | 1,
): number | undefined {
  for (let tried = 0; tried < mostTried; tried += 1) {
    const index = start + tried * step;
    const sample = samples[index];
    if (!sample) return undefined;
    const rows = sumsIn(database, allTransactions, windowOf(sample));
    if (unit === null ? rows.size === 0 : !rows.has(unit)) return index;
  }
  return undefined;
}

/** The times of rows that may be in a sample or not. */
export function windowOf({ from, to }: EquitySample): Interval {
  return { from, to: to + postingDelayMs };
}

function follows(
  { database, unit, histories }: Parameters<typeof balancesFollow>[0],
  before: EquitySample,
  after: EquitySample,
): boolean {
  const [earlier, later] = [balancesOf(database, before), balancesOf(database, after)];
  if (!earlier || !later) return false;
  const rows = sumsIn(database, histories, { from: before.to, to: after.from });
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

function sumsIn(
  database: DatabaseSync,
  histories: readonly LedgerHistory[],
  interval: Interval,
): ReadonlyMap<string, ExactAmount> {
  const sums = new Map<string, ExactAmount>();
  for (const history of histories)
    for (const { keys, amount } of groupedSums(database, {
      history,
      field: 'amount',
      interval,
      keys: ['asset'],
    }))
      sums.set(keys.asset, added(sums.get(keys.asset) ?? zeroAmount, amount));
  return sums;
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
