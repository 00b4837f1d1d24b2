import type { DatabaseSync } from 'node:sqlite';
import type { NumberText } from '../../base/decimal.ts';
import type { LedgerRecord } from '../ledger.ts';
import { storedReader } from '../reconciliation/storedReader.ts';
import { idKey, idTextSql } from '../storage/numberKey.ts';
import { parseRecord } from '../storage/recordLines.ts';
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
    /** How much of an order was filled, as the exchange says; null if it is not known. */
    filledOf(orderId: string): NumberText | null {
      const found = database
        .prepare(
          'SELECT json FROM orders JOIN ordersJson USING (row) WHERE orderId = ? AND unlistedSince IS NULL',
        )
        .get(idKey(orderId));
      return found ? (parseRecord(String(found.json)) as LedgerRecord<'orders'>).filled : null;
    },
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
