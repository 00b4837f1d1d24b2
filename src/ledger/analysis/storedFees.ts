import type { DatabaseSync } from 'node:sqlite';
import type { Trade } from '../../exchange/records.ts';
import type { Interval } from '../ledger.ts';
import { CheckpointStore } from '../storage/checkpointStore.ts';
import { idKey } from '../storage/numberKey.ts';
import { parseRecord } from '../storage/recordLines.ts';
import { numberOf } from '../storage/sql.ts';
import { recordsIn } from '../storage/storedReader.ts';
import type { FeeSource } from './feeAudit.ts';
import { neighbourCount } from './feeRounding.ts';

const always: Interval = { from: 0, to: Number.MAX_SAFE_INTEGER };
const sampleSize = 2000;
/** It takes a fraction of a millisecond, and is needed for few trades. */
const mostLookups = 10_000;

/** What an audit reads of a ledger. */
export function storedFees(database: DatabaseSync, period: Interval): FeeSource {
  let lookups = 0;
  return {
    checkpoints: new CheckpointStore(database).within(always),
    sample: sampleOf(database),
    trades: tradesIn(database, period),
    feesAround: (trade) => {
      lookups += 1;
      if (lookups > mostLookups) return { before: [], after: [] };
      return { before: feesFrom(database, trade, '<'), after: feesFrom(database, trade, '>') };
    },
  };
}

/** Rows spread over all of them. */
function sampleOf(database: DatabaseSync): Trade[] {
  const last = numberOf(database, 'SELECT max(row) FROM trades');
  const step = Math.max(1, last / sampleSize);
  const rows = Array.from({ length: Math.ceil(last / step) }, (_none, index) =>
    Math.floor(1 + index * step),
  );
  return database
    .prepare(
      `SELECT json FROM trades JOIN tradesJson USING (row)
       WHERE row IN (SELECT value FROM json_each(?)) AND unlistedSince IS NULL`,
    )
    .all(JSON.stringify(rows))
    .map(({ json }) => parseRecord(String(json)) as Trade);
}

function* tradesIn(database: DatabaseSync, period: Interval): Generator<Trade> {
  for (const { record } of recordsIn(database, 'trades', period)) yield record;
}

function feesFrom(
  database: DatabaseSync,
  { feeAsset, time, tradeId }: Trade,
  operator: '<' | '>',
): string[] {
  const order = operator === '<' ? 'DESC' : 'ASC';
  return database
    .prepare(
      `SELECT json FROM trades JOIN tradesJson USING (row)
       WHERE (time, tradeId) ${operator} (?, ?) AND feeAsset = ? AND unlistedSince IS NULL
       ORDER BY time ${order}, tradeId ${order} LIMIT ${neighbourCount}`,
    )
    .all(Number(time), idKey(tradeId), feeAsset)
    .map(({ json }) => (parseRecord(String(json)) as Trade).fee);
}
