import type { DatabaseSync } from 'node:sqlite';
import { parseTimestampMs } from '../../base/time.ts';
import type { Trade } from '../../exchange/records.ts';
import type { Interval } from '../ledger.ts';
import { checkpointsIn } from '../storage/checkpointStore.ts';
import { idKey } from '../storage/numberKey.ts';
import { parseRecord } from '../storage/recordLines.ts';
import { lastRow } from '../storage/sql.ts';
import type { AnalysisScope } from './analysisScope.ts';
import type { FeeSource } from './feeAudit.ts';
import type { AuditedTrade } from './analysis.ts';
import { isAudited } from './feeComparison.ts';
import { notZero } from './groupedSums.ts';
import { neighbourCount } from './feeRounding.ts';

const allTime: Interval = { from: 0, to: Number.MAX_SAFE_INTEGER };
const sampleSize = 2000;
/** How many records are parsed at a time: a few megabytes. */
const sliceSize = 1000;

/** What an audit reads of a ledger. */
export function storedFees({
  database,
  period,
  symbols,
}: Pick<AnalysisScope, 'database' | 'period' | 'symbols'>): FeeSource {
  return {
    isInQuote: ({ symbol, feeAsset }) => symbols.assetOf(symbol, 'quoteAsset').asset === feeAsset,
    checkpoints: checkpointsIn(database, allTime),
    sample: sampleOf(database),
    trades: tradesIn(database, period),
    feesAround: (trade) => ({
      before: feesFrom(database, trade, '<'),
      after: feesFrom(database, trade, '>'),
    }),
  };
}

/** Rows spread over all of them. */
function sampleOf(database: DatabaseSync): AuditedTrade[] {
  const last = lastRow(database, 'trades');
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
    .map(({ json }) => parseRecord(String(json)) as Trade)
    .filter(isAudited);
}

/** Oldest first. The file is not locked while a trade is used. */
function* tradesIn(database: DatabaseSync, { from, to }: Interval): Generator<Trade> {
  const rows = database
    .prepare(
      `SELECT row FROM trades WHERE time >= ? AND time < ? AND unlistedSince IS NULL
       ORDER BY time, tradeId`,
    )
    .all(from, to)
    .map(({ row }) => Number(row));
  const find = database.prepare(
    `SELECT json FROM trades JOIN tradesJson USING (row)
     WHERE row IN (SELECT value FROM json_each(?)) ORDER BY time, tradeId`,
  );
  for (let start = 0; start < rows.length; start += sliceSize)
    for (const { json } of find.all(JSON.stringify(rows.slice(start, start + sliceSize))))
      yield parseRecord(String(json)) as Trade;
}

function feesFrom(
  database: DatabaseSync,
  { feeAsset, time, tradeId }: AuditedTrade,
  operator: '<' | '>',
): string[] {
  const order = operator === '<' ? 'DESC' : 'ASC';
  return database
    .prepare(
      `SELECT json FROM trades JOIN tradesJson USING (row)
       WHERE (time, tradeId) ${operator} (?, ?) AND feeAsset = ? AND (${notZero('fee')}) AND unlistedSince IS NULL
       ORDER BY time ${order}, tradeId ${order} LIMIT ${neighbourCount}`,
    )
    .all(parseTimestampMs(time) ?? 0, idKey(tradeId), feeAsset)
    .flatMap(({ json }) => (parseRecord(String(json)) as Trade).fee ?? []);
}
