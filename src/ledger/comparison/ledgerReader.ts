import type { DatabaseSync } from 'node:sqlite';
import { amountOf, type Amount } from '../../base/decimal.ts';
import { storedReader } from '../reconciliation/storedReader.ts';
import { idKey, idTextSql } from '../storage/numberKey.ts';
import { TradeReader } from '../storage/tradeReader.ts';

export type ComparisonReader = ReturnType<typeof comparisonReader>;

/** What a comparison reads of a ledger. Its calls block. */
export function comparisonReader(database: DatabaseSync) {
  const { coverage, marginAssetOf, records } = storedReader(database);
  const average = database.prepare(
    `SELECT json ->> '$.averageExecutionPrice' AS price FROM orders JOIN ordersJson USING (row) WHERE orderId = ?`,
  );
  return {
    ...{ coverage, marginAssetOf, records, trades: new TradeReader(database) },
    /** Those of its trades. */
    symbols: (): string[] =>
      database
        .prepare(`SELECT word FROM words WHERE history = 'trades' AND field = 'symbol'`)
        .all()
        .map(({ word }) => String(word)),
    /** Those that a bot may have named, and liquidations. */
    orders: () =>
      database
        .prepare(
          `SELECT ${idTextSql('orderId')} AS orderId, clientOrderId, status = 'LIQUIDATED' AS isLiquidation FROM orders
           WHERE unlistedSince IS NULL AND (clientOrderId IS NOT NULL OR status = 'LIQUIDATED')`,
        )
        .iterate() as Iterable<{
        readonly orderId: string;
        readonly clientOrderId: string | null;
        readonly isLiquidation: number | null;
      }>,
    /** As the exchange writes it. */
    averagePrice(orderId: string): Amount | null {
      const price = average.get(idKey(orderId))?.price;
      return typeof price === 'string' ? amountOf(price) : null;
    },
  };
}
