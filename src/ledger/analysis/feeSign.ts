import type { DatabaseSync } from 'node:sqlite';
import { sign } from '../../base/decimal.ts';
import type { FeeRates } from '../ledger.ts';
import type { FeeSign } from './analysis.ts';
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
  const table = firstOf(database, `json ->> '$.fees.table'`);
  if (table === undefined || firstOf(database, takerRate) === undefined) return [];
  const tiers = (JSON.parse(table) as readonly FeeRates[]).map(({ taker }) => taker);
  const nextTo = (side: string): string =>
    `(SELECT ${takerRate} FROM checkpoints WHERE answeredAt ${side} LIMIT 1)`;
  const isKnown = `AND ${takerRate} IS NOT NULL ORDER BY answeredAt`;
  return database
    .prepare(
      `SELECT json ->> '$.fee' AS fee, ${nextTo(`<= time ${isKnown} DESC`)} AS before,
         ${nextTo(`> time ${isKnown}`)} AS after
       FROM trades JOIN tradesJson USING (row)
       WHERE maker = 0 AND (hasText = 1 OR ${notZero('trades.fee')}) AND unlistedSince IS NULL AND time IS NOT NULL
       ORDER BY time DESC LIMIT ${mostFees}`,
    )
    .all()
    .flatMap(({ fee, before, after }): Proof[] => {
      const around = [before, after].flatMap((rate) => (rate === null ? [] : [String(rate)]));
      const rates = around.length === 2 ? around : [...around, ...tiers];
      if (!rates.every((rate) => sign(rate) > 0)) return [];
      const paid = sign(String(fee));
      return paid === 0 ? [] : [paid > 0 ? 'positive' : 'negative'];
    });
}

function firstOf(database: DatabaseSync, figure: string): string | undefined {
  const sql = `SELECT ${figure} AS figure FROM checkpoints WHERE ${figure} IS NOT NULL`;
  const found = database.prepare(`${sql} ORDER BY answeredAt LIMIT 1`).get();
  return found && String(found.figure);
}

/** What is paid is negative in transactions: the reconciliation learns how the fees of trades compare with it. */
function bookedProofs(database: DatabaseSync): readonly Proof[] {
  const learned = newestReading(database, 'tradeFees', 'trades');
  if (!learned || learned.explainedByOthers.size > 0) return [];
  return [learned.reading.name === 'sameSigns' ? 'negative' : 'positive'];
}
