import type { DatabaseSync } from 'node:sqlite';
import type { Interval } from '../../base/interval.ts';
import { difference, isSame, type NumberText } from '../../base/decimal.ts';
import { minuteMs } from '../../base/time.ts';
import { checkpointsWhere } from '../storage/checkpointStore.ts';
import { bracketBetween, staleBracket } from '../reconciliation/bracket.ts';

/** A stored figure of the equity; a row between its ends may be in it or not. */
export type EquitySample = Interval & {
  /** When the answer came, in epoch milliseconds of the exchange. */
  readonly time: number;
  readonly equity: NumberText;
  readonly row: number;
};

/** Reads are at most 10 minutes apart, and some time may pass until one that failed is repeated. */
const longestPauseMs = 15 * minuteMs;
/** How many samples, at most, are read to prove the asset that equity counts in. */
const mostProofs = 1000;

/** Oldest first; without those that have no equity. */
export function equitySamples(database: DatabaseSync, { from, to }: Interval): EquitySample[] {
  const statement = database.prepare(
    `SELECT rowid AS row, sentAt, answeredAt, json ->> '$.equity' AS equity,
       json ->> '$.clockErrorMs' AS clockErrorMs
     FROM checkpoints WHERE answeredAt >= ? AND answeredAt < ? ORDER BY answeredAt, rowid`,
  );
  const samples: EquitySample[] = [];
  for (const each of statement.iterate(from, to)) {
    if (typeof each.equity !== 'string') continue;
    const [time, error] = [Number(each.answeredAt), Number(each.clockErrorMs)];
    const { from, to } = staleBracket(bracketBetween(Number(each.sentAt) - error, time + error));
    samples.push({ time, from, to, equity: each.equity, row: Number(each.row) });
  }
  return samples;
}

/** Between neighbours, where nothing is known: what has not changed is not stored. */
export function sampleGaps(samples: readonly EquitySample[]): Interval[] {
  return samples.slice(1).flatMap((sample, index) => {
    const before = samples[index] ?? sample;
    const isKnown =
      sample.time - before.time <= longestPauseMs || isSame(sample.equity, before.equity);
    return isKnown ? [] : [{ from: before.time, to: sample.time }];
  });
}

/**
 * The asset that `equity` counts in: no field says it. It is the only one whose balance is the equity without
 * `upl`, in samples all over the period.
 */
export function equityUnit(
  database: DatabaseSync,
  samples: readonly EquitySample[],
): string | null {
  let units: ReadonlySet<string> | undefined;
  const step = Math.max(1, Math.ceil(samples.length / mostProofs));
  for (const sample of samples.filter((_sample, index) => index % step === 0)) {
    const [checkpoint] = checkpointsWhere(database, 'rowid = ?', sample.row);
    const { assets = null, upl = null, equity = null } = checkpoint ?? {};
    if (assets === null || upl === null || equity === null) continue;
    const balance = difference(equity, upl);
    const fitting = assets.filter(({ deposited }) => isSame(deposited, balance));
    const names = new Set(fitting.map(({ name }) => name));
    units = units === undefined ? names : new Set([...units].filter((name) => names.has(name)));
    if (units.size === 0) return null;
  }
  const [unit, ...others] = units ?? [];
  return unit !== undefined && others.length === 0 ? unit : null;
}
