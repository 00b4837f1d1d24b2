import type { HistoryRecord } from '../../src/exchange/history/records.ts';

/** The id of a record, as the exchange names it. */
export function idOf(record: HistoryRecord): string {
  if ('tradeId' in record) return record.tradeId;
  if ('lotId' in record) return record.lotId;
  return 'orderId' in record ? record.orderId : record.transactionId;
}
