import { epochMsOf, fractionOf } from '../../base/instant.ts';
import type { JsonObject } from '../../exchange/json.ts';
import type { Lot, Order, Trade, Transaction } from '../../exchange/records.ts';
import type { HistoryName } from '../../exchange/histories.ts';

/** What a field holds: `number` and `time` the text of a number, `time` a timestamp. */
export type FieldKind = 'text' | 'number' | 'flag' | 'time';

/** A record's fields in the order in which they are written: that of the interface document. */
export type Fields = Readonly<Record<string, FieldKind>>;

/** A record of a history by the names of its fields. */
export type ExportRecord = Readonly<Record<string, string | boolean | null | JsonObject>> & {
  readonly extra: JsonObject;
};

type FieldsOf<Item> = Readonly<Record<Exclude<keyof Item, 'extra'>, FieldKind>>;

/** Section 2.2. */
const orders: FieldsOf<Order> = {
  symbol: 'text',
  amount: 'number',
  side: 'text',
  orderId: 'number',
  price: 'number',
  clientOrderId: 'text',
  averageExecutionPrice: 'number',
  filled: 'number',
  time: 'time',
  type: 'text',
  status: 'text',
};

/** Section 2.3. */
const trades: FieldsOf<Trade> = {
  tradeId: 'number',
  orderId: 'number',
  symbol: 'text',
  amount: 'number',
  price: 'number',
  side: 'text',
  maker: 'flag',
  fee: 'number',
  rpnl: 'number',
  feeAsset: 'text',
  type: 'text',
  time: 'time',
};

/** Section 2.4. */
const lots: FieldsOf<Lot> = {
  lotId: 'number',
  symbol: 'text',
  side: 'text',
  amount: 'number',
  totalBids: 'number',
  averageLiquidationPrice: 'number',
  marginCallPrice: 'number',
  discount: 'number',
  updatedAt: 'time',
};

/** Section 2.5. */
const transactions: FieldsOf<Transaction> = {
  transactionId: 'number',
  transactionUuid: 'text',
  asset: 'text',
  link: 'text',
  amount: 'number',
  type: 'text',
  time: 'time',
};

/** The fields of each history's records. */
export const historyFields: Readonly<Record<HistoryName, Fields>> = {
  orders,
  trades,
  lots,
  transactions,
};

/** The name under which a time stands a second time, as an instant in UTC. */
export function utcNameOf(field: string): string {
  return `${field}Utc`;
}

/**
 * A timestamp of seconds or finer as ISO 8601 in UTC, with every digit of its fraction; null where it
 * names no instant.
 */
export function utcInstant(text: string): string | null {
  const epochMs = epochMsOf(text);
  if (epochMs === undefined) return null;
  return `${new Date(epochMs).toISOString().slice(0, 19)}${fractionOf(text)}Z`;
}
