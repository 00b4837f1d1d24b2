import type { DatabaseSync } from 'node:sqlite';
import { isZero, sign, type NumberText } from '../../base/decimal.ts';
import type { Trade } from '../../exchange/records.ts';
import type { FeeRates } from '../ledger.ts';
import { parseRecord } from '../storage/recordLines.ts';
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

/** A taker pays under a positive rate. */
function takerProofs(database: DatabaseSync): readonly Proof[] {
  const firstRates = ratesAt(database, '>=', 0);
  if (firstRates === undefined) return [];
  const isEachTierPositive = firstTable(database).every(({ taker }) => sign(taker) > 0);
  return newestTakerFees(database).flatMap(({ time, proof }) => {
    const around = [ratesAt(database, '<=', time), ratesAt(database, '>=', time)];
    const known = around.filter((rate) => rate !== undefined);
    const isTierKnown = known.length === around.length || isEachTierPositive;
    return isTierKnown && known.every((rate) => sign(rate) > 0) ? [proof] : [];
  });
}

/** The taker rate of the account at the checkpoint next to a time. */
function ratesAt(
  database: DatabaseSync,
  operator: '<=' | '>=',
  time: number,
): NumberText | undefined {
  const taker = `json ->> '$.fees.rates.taker'`;
  const found = database
    .prepare(
      `SELECT ${taker} AS taker FROM checkpoints WHERE answeredAt ${operator} ? AND ${taker} IS NOT NULL
       ORDER BY answeredAt ${operator === '<=' ? 'DESC' : 'ASC'} LIMIT 1`,
    )
    .get(time);
  return found && String(found.taker);
}

function firstTable(database: DatabaseSync): readonly FeeRates[] {
  const table = `json ->> '$.fees.table'`;
  const found = database
    .prepare(
      `SELECT ${table} AS tiers FROM checkpoints WHERE ${table} IS NOT NULL ORDER BY answeredAt LIMIT 1`,
    )
    .get();
  return found ? (JSON.parse(String(found.tiers)) as FeeRates[]) : [];
}

/** What each fee proves if it was paid. */
function newestTakerFees(
  database: DatabaseSync,
): readonly { readonly time: number; readonly proof: Proof }[] {
  return database
    .prepare(
      `SELECT time, json FROM trades JOIN tradesJson USING (row)
       WHERE maker = 0 AND (hasText = 1 OR ${notZero('fee')}) AND unlistedSince IS NULL AND time IS NOT NULL
       ORDER BY time DESC LIMIT ${mostFees}`,
    )
    .all()
    .flatMap(({ time, json }) => {
      const { fee } = parseRecord(String(json)) as Trade;
      if (fee === null || isZero(fee)) return [];
      return [{ time: Number(time), proof: sign(fee) < 0 ? 'negative' : 'positive' }];
    });
}

/** What is paid is negative in transactions: the reconciliation learns how the fees of trades compare with it. */
function bookedProofs(database: DatabaseSync): readonly Proof[] {
  const learned = newestReading(database, 'tradeFees', 'trades');
  if (!learned || learned.explainedByOthers.size > 0) return [];
  return [learned.reading.name === 'sameSigns' ? 'negative' : 'positive'];
}
