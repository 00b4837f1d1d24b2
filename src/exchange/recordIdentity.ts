import { parseTimestampMs } from '../base/time.ts';

type IdentityField =
  | ('orderId' | 'tradeId' | 'lotId' | 'transactionId')
  | ('symbol' | 'asset' | 'type' | 'time');

/**
 * The fields that tell the records of one history apart; each account type has its own transactions. Ids may be
 * unique only within a symbol, and a trade and its fee may share one. Orders and lots may change their time;
 * a trade or transaction of another time is another record.
 */
export function identityFields(item: object): Readonly<Record<string, string>> {
  const fields = item as Partial<Record<IdentityField, string>>;
  const { orderId = '', tradeId, lotId, transactionId } = fields;
  const { symbol = '', asset = '', type = '', time = '' } = fields;
  if (transactionId !== undefined) return { asset, type, transactionId, time };
  if (tradeId !== undefined) return { symbol, tradeId, time };
  return lotId === undefined ? { symbol, orderId } : { symbol, lotId };
}

/** The same as one text, however the exchange writes a time. */
export function identityOf(item: object): string {
  const { time, ...fields } = identityFields(item);
  const moment = time === undefined ? null : (parseTimestampMs(time) ?? time);
  return JSON.stringify([...Object.values(fields), moment]);
}
