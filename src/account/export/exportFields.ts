import type { JsonObject } from '../../base/exactJson.ts';
import { parseTimestampMs, fractionOfSecond } from '../../base/time.ts';
import type { ByKind } from '../../exchange/decoders.ts';
import type { HistoryName } from '../../exchange/history/historyRecords.ts';
import type { HistoryKinds } from '../../exchange/records.ts';

/** How a field is written. `number` and `time` are the text of a number, `time` of a timestamp. */
export type FieldKind = 'text' | 'number' | 'flag' | 'time';

/** A record's fields in the order in which they are written, which is that of the API document. */
export type ExportFields = Readonly<Record<string, FieldKind>>;

export type ExportRecord = Readonly<Record<string, string | boolean | null | JsonObject>> & {
  readonly extra: JsonObject;
};

type FieldKinds = { text: 'text'; number: 'number'; id: 'number'; flag: 'flag'; time: 'time' };

export const historyFields: Readonly<Record<HistoryName, ExportFields>> = {
  /** Section 2.2. */
  orders: {
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
  },
  /** Section 2.3. */
  trades: {
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
  },
  /** Section 2.4. */
  lots: {
    lotId: 'number',
    symbol: 'text',
    side: 'text',
    amount: 'number',
    totalBids: 'number',
    averageLiquidationPrice: 'number',
    marginCallPrice: 'number',
    discount: 'number',
    updatedAt: 'time',
  },
  /** Section 2.5. */
  transactions: {
    transactionId: 'number',
    transactionUuid: 'text',
    asset: 'text',
    link: 'text',
    amount: 'number',
    type: 'text',
    time: 'time',
  },
} satisfies { readonly [Name in HistoryName]: ByKind<HistoryKinds[Name], FieldKinds> };

/** The name of the field that repeats a time as ISO 8601 in UTC. */
export function utcFieldName(field: string): string {
  return `${field}Utc`;
}

/** A timestamp as ISO 8601 in UTC, with every digit of its fraction; null if it is not a timestamp. */
export function utcInstant(text: string): string | null {
  const epochMs = parseTimestampMs(text);
  if (epochMs === undefined) return null;
  return `${new Date(epochMs).toISOString().slice(0, 19)}${fractionOfSecond(text)}Z`;
}
