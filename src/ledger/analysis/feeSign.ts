import type { DatabaseSync } from 'node:sqlite';
import { sign } from '../../base/decimal.ts';
import type { FeeRates, FeeSign } from '../ledger.ts';
import { notZero } from './groupedSums.ts';
import { newestReading } from './newestReading.ts';

type Proof = NonNullable<FeeSign>;

/** How many of the newest fees are looked at: more say no more. */
const mostFees = 100;

/** The sign of a fee that was paid, as long as nothing contradicts it. */
export function provedFeeSign(database: DatabaseSync): FeeSign {
  const [proof, ...others] = new Set([...takerProofs(database), ...bookedProofs(database)]);
  return proof !== undefined && others.length === 0 ? proof : null;
}

const takerRate = `json ->> '$.fees.rates.taker'`;

/** A taker pays under a positive rate: that of the checkpoints before and after, or of each tier if one is missing. */
function takerProofs(database: DatabaseSync): readonly Proof[] {
  const { tiers } = database.prepare(figureSql(`json ->> '$.fees.table'`, 'tiers', '')).get() ?? {};
  if (typeof tiers !== 'string') return [];
  const ofTiers = (JSON.parse(tiers) as readonly FeeRates[]).map(({ taker }) => taker);
  return database
    .prepare(
      `SELECT json ->> '$.fee' AS fee,
         (${figureSql(takerRate, 'rate', 'WHERE answeredAt <= time', 'DESC')}) AS before,
         (${figureSql(takerRate, 'rate', 'WHERE answeredAt > time')}) AS after
       FROM trades JOIN tradesJson USING (row)
       WHERE maker = 0 AND (hasText = 1 OR ${notZero('trades.fee')}) AND unlistedSince IS NULL AND time IS NOT NULL
       ORDER BY time DESC LIMIT ${mostFees}`,
    )
    .all()
    .flatMap(({ fee, before, after }): Proof[] => {
      const around = [before, after].flatMap((rate) => (rate === null ? [] : [String(rate)]));
      const rates = around.length === 2 ? around : [...around, ...ofTiers];
      if (!rates.every((rate) => sign(rate) > 0)) return [];
      const paid = sign(String(fee));
      return paid === 0 ? [] : [paid > 0 ? 'positive' : 'negative'];
    });
}

/** The first of the nearest checkpoints that has a figure. */
function figureSql(figure: string, name: string, where: string, order = ''): string {
  const nearest = `SELECT json FROM checkpoints ${where} ORDER BY answeredAt ${order} LIMIT 100`;
  return `SELECT ${figure} AS ${name} FROM (${nearest}) WHERE ${figure} IS NOT NULL LIMIT 1`;
}

/**
 * What is paid is negative in transactions, if balances follow their sums: the reconciliation learns how the fees of
 * trades compare with them.
 */
function bookedProofs(database: DatabaseSync): readonly Proof[] {
  if (!newestReading(database, 'deposited', 'futureTransactions')) return [];
  const learned = newestReading(database, 'tradeFees', 'trades');
  if (!learned || learned.explainedByOthers.size > 0) return [];
  return [learned.reading.name === 'sameSigns' ? 'negative' : 'positive'];
}
