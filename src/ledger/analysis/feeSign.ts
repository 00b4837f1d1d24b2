import type { DatabaseSync } from 'node:sqlite';
import { sign } from '../../base/decimal.ts';
import type { FeeRates, FeeSign } from '../ledger.ts';
import { notZero } from '../storage/sums.ts';
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
const tiersSql = `SELECT tiers FROM (SELECT json ->> '$.fees.table' AS tiers FROM checkpoints ORDER BY answeredAt)`;

/** A taker pays under a positive rate: that of the checkpoints before and after, or of each tier if one is missing. */
function takerProofs(database: DatabaseSync): readonly Proof[] {
  // A table is stored once, with the first checkpoint that has it.
  const { tiers } = database.prepare(`${tiersSql} WHERE tiers IS NOT NULL LIMIT 1`).get() ?? {};
  if (typeof tiers !== 'string') return [];
  const ofTiers = (JSON.parse(tiers) as readonly FeeRates[]).map(({ taker }) => taker);
  return database
    .prepare(
      `SELECT json ->> '$.fee' AS fee,
         (${nearestSql('WHERE answeredAt <= time', 'DESC')}) AS before,
         (${nearestSql('WHERE answeredAt > time', 'ASC')}) AS after
       FROM trades JOIN tradesJson USING (row)
       WHERE maker = 0 AND (hasText = 1 OR ${notZero('trades.fee')}) AND unlistedSince IS NULL AND time IS NOT NULL
       ORDER BY time DESC LIMIT ${mostFees}`,
    )
    .all()
    .flatMap(({ fee, before, after }): Proof[] => {
      const around = [before, after].flatMap((rate) => (rate === null ? [] : [String(rate)]));
      const rates = around.length === 2 ? around : [...around, ...ofTiers];
      if (typeof fee !== 'string' || !rates.every((rate) => sign(rate) > 0)) return [];
      const paid = sign(fee);
      return paid === 0 ? [] : [paid > 0 ? 'positive' : 'negative'];
    });
}

/** The taker rate of the first of the nearest checkpoints that has it. */
function nearestSql(where: string, order: 'ASC' | 'DESC'): string {
  const nearest = `SELECT json FROM checkpoints ${where} ORDER BY answeredAt ${order} LIMIT 100`;
  return `SELECT ${takerRate} FROM (${nearest}) WHERE ${takerRate} IS NOT NULL LIMIT 1`;
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
