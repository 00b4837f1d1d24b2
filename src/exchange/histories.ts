import { epochMsOf } from '../base/instant.ts';
import type { Lot, Order, Trade, Transaction } from './records.ts';

/** The four paged histories, sections 4.1 to 4.4. */
export const historyNames = ['orders', 'trades', 'lots', 'transactions'] as const;
export type HistoryName = (typeof historyNames)[number];
export type HistoryRecord = Order | Trade | Lot | Transaction;

type Ids = Partial<
  Readonly<Record<'tradeId' | 'orderId' | 'lotId' | 'transactionId' | 'type', string>>
>;

/**
 * Tells the records of one history apart. A trade has its order's id as well; transactions of two
 * types may share one, as a trade and its fee.
 */
export function idOf(item: object): string {
  const { tradeId, orderId, lotId, type = '', transactionId = '' } = item as Ids;
  return tradeId ?? orderId ?? lotId ?? `${type}:${transactionId}`;
}

/** A record's own time in epoch milliseconds; undefined where it cannot be read. */
export function timeOf(item: object): number | undefined {
  const { time, updatedAt = time } = item as { time?: unknown; updatedAt?: unknown };
  return typeof updatedAt === 'string' ? epochMsOf(updatedAt) : undefined;
}

/** A count that an envelope claims; undefined for what is none. */
export function countIn(claim: string | null): number | undefined {
  return claim !== null && /^\d{1,15}$/.test(claim) ? Number(claim) : undefined;
}
