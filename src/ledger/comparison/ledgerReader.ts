import type { DatabaseSync } from 'node:sqlite';
import { storedReader } from '../reconciliation/storedReader.ts';
import { idTextSql } from '../storage/numberKey.ts';
import { TradeReader } from '../storage/tradeReader.ts';

export type ComparisonReader = ReturnType<typeof comparisonReader>;

/** What a comparison reads of a ledger. Its calls block. */
export function comparisonReader(database: DatabaseSync) {
  return {
    ...storedReader(database),
    trades: new TradeReader(database),
    /** Those of its trades. */
    symbols: (): string[] =>
      database
        .prepare(`SELECT word FROM words WHERE history = 'trades' AND field = 'symbol'`)
        .all()
        .map(({ word }) => String(word)),
    liquidatedOrders: (): string[] =>
      database
        .prepare(
          `SELECT ${idTextSql('orderId')} AS id FROM orders WHERE status = 'LIQUIDATED' AND unlistedSince IS NULL`,
        )
        .all()
        .map(({ id }) => String(id)),
    /** The exchange's id of each order that has one of these ids of the client. */
    orderIds(clientOrderIds: readonly string[]): ReadonlyMap<string, string> {
      const found = database
        .prepare(
          `SELECT value, ${idTextSql('orderId')} AS id FROM json_each(?) JOIN orders ON clientOrderId = value
           WHERE unlistedSince IS NULL`,
        )
        .all(JSON.stringify(clientOrderIds));
      return new Map(found.map(({ value, id }) => [String(value), String(id)]));
    },
  };
}
