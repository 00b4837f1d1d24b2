import type { NumberText } from '../base/decimal.ts';
import { isJsonObject, type JsonObject } from '../base/exactJson.ts';
import type { BadRecord, Decoded } from './badRecords.ts';
import {
  countOrNull,
  flag,
  id,
  ifMissing,
  ifUnreadable,
  integer,
  list,
  listOrEmpty,
  name,
  number,
  orNull,
  record,
  text,
  time,
  wholeNumber,
  withSomeField,
  type Decoder,
  type KindOf,
  type ValueOf,
} from './decoders.ts';

/**
 * The records of the API (section 2), under its own field names: how each field is decoded, and the
 * types that follow from that. Numbers are the text of the wire. A field that is not part of a record's
 * identity is null if the server sent no readable value. Fields that the API does not name are kept in `extra`.
 */

export type { BadRecord, Decoded, NumberText };

/** The values that the API names, and any other that the exchange may send. */
type OpenEnum<Named extends string> = Named | (string & Record<never, never>);

export type Side = OpenEnum<'BUY' | 'SELL'>;
type OrderType = OpenEnum<'LIMIT' | 'MARKET'>;
type OrderStatus = OpenEnum<'PARTIALLY_EXECUTED' | 'EXECUTED' | 'CANCELED' | 'LIQUIDATED'>;
export type TransactionType = OpenEnum<
  | 'DEPOSIT'
  | 'WITHDRAW'
  | 'FEE'
  | 'FUNDING_FEE'
  | 'REALIZED_PL'
  | 'LIQUIDATION_FEE'
  | 'TRANSFER_TO_SPOT'
  | 'TRANSFER_TO_FUTURE'
  | 'REWARD'
>;

/** Section 4.4: the two accounts whose transactions can be asked for. */
export type AccountType = 'SPOT' | 'FUTURE';

const side: Decoder<Side, 'text'> = text;
const orderType: Decoder<OrderType, 'text'> = text;
const orderStatus: Decoder<OrderStatus, 'text'> = text;
const transactionType: Decoder<TransactionType, 'text'> = text;

/** Section 2.2, common to the order history and to cancel-all. */
const orderFields = {
  symbol: text,
  amount: orNull(number),
  side: orNull(side),
  orderId: id,
  price: orNull(number),
  clientOrderId: orNull(text),
  averageExecutionPrice: orNull(number),
  filled: orNull(number),
  type: orNull(orderType),
  status: orNull(orderStatus),
};

/** Section 2.2: an item of the order history. */
const order = record({ ...orderFields, time });
export type Order = ValueOf<typeof order>;

/** Section 2.2: an order as cancel-all returns it, with `updatedAt` in place of `time`. */
const canceledOrder = record({ ...orderFields, updatedAt: time });
export type CanceledOrder = ValueOf<typeof canceledOrder>;
export type CanceledOrderKinds = KindOf<typeof canceledOrder>;

/** Section 2.3. */
const trade = record({
  tradeId: id,
  orderId: orNull(id),
  symbol: text,
  amount: orNull(number),
  price: orNull(number),
  side: orNull(side),
  maker: orNull(flag),
  fee: orNull(number),
  rpnl: orNull(number),
  feeAsset: orNull(text),
  type: orNull(text),
  time,
});
export type Trade = ValueOf<typeof trade>;

/** Section 2.4: a lot of the liquidation auction. Lots are of the whole exchange; no field says whose position they came from. */
const lot = record({
  lotId: id,
  symbol: text,
  side: orNull(side),
  amount: orNull(number),
  totalBids: orNull(integer),
  averageLiquidationPrice: orNull(number),
  marginCallPrice: orNull(number),
  discount: orNull(number),
  updatedAt: time,
});
export type Lot = ValueOf<typeof lot>;

/** Section 2.5. */
const transaction = record({
  transactionId: id,
  transactionUuid: orNull(text),
  asset: text,
  link: orNull(text),
  amount: orNull(number),
  type: transactionType,
  time,
});
export type Transaction = ValueOf<typeof transaction>;

const assetBalance = record({
  isMargin: orNull(flag),
  margin: orNull(number),
  deposited: orNull(number),
  name,
  locked: orNull(number),
});
export type AssetBalance = ValueOf<typeof assetBalance>;

const position = record({
  upl: orNull(number),
  symbol: name,
  leverage: orNull(wholeNumber),
  amount: orNull(number),
  markPrice: orNull(number),
  lockedBalance: orNull(number),
  liquidationPrice: orNull(number),
  marginMode: orNull(text),
  uplPercentage: orNull(number),
  basePrice: orNull(number),
});
export type Position = ValueOf<typeof position>;

/** A figure that is null is reported: it must never pass for nothing locked. */
const lockedFigure = ifUnreadable(number, null);

/** One per symbol. */
const lockedOrders = record({
  symbol: name,
  lockedAsk: lockedFigure,
  sumSizeAsk: lockedFigure,
  lockedBid: lockedFigure,
  sumSizeBid: lockedFigure,
});
export type LockedOrders = ValueOf<typeof lockedOrders>;

/** Section 2.6. What is null could not be read: a list that is null is unknown, not empty. */
export const account = withSomeField(
  record({
    upl: ifUnreadable(number, null),
    feeTierStructure: ifUnreadable(wholeNumber, null),
    feeTierDiscount: ifUnreadable(wholeNumber, null),
    assets: ifUnreadable(list(assetBalance), null),
    tradeFeeAsset: ifUnreadable(text, null),
    positions: ifUnreadable(list(position), null),
    orders: ifUnreadable(list(lockedOrders), null),
    equity: ifUnreadable(number, null),
  }),
);
export type Account = ValueOf<typeof account>;
/** What each field of an account is, and of its records. */
export type AccountKinds = KindOf<typeof account>;

/** A field that cannot be read is null, and the limit stays in the list: a dropped limit could be exceeded. */
const rateLimit = ifUnreadable(
  record({
    intervalNum: ifUnreadable(ifMissing(number, '1'), null),
    limit: ifUnreadable(number, null),
    interval: ifUnreadable(text, null),
    rateLimitType: ifUnreadable(text, null),
  }),
  { intervalNum: null, limit: null, interval: null, rateLimitType: null, extra: {} },
);
export type RateLimit = ValueOf<typeof rateLimit>;

const symbolInformation = record({
  symbol: text,
  marginAsset: text,
  baseAsset: text,
  pair: text,
  quoteAsset: text,
  status: text,
});
export type SymbolInformation = ValueOf<typeof symbolInformation>;

/** Section 2.7. Whatever is wrong with the other fields, the limits are known. */
export const exchangeInformation = record({
  rateLimits: list(rateLimit),
  timezone: ifUnreadable(text, null),
  serverTime: ifUnreadable(time, null),
  symbols: ifUnreadable(list(symbolInformation), []),
});
export type ExchangeInformation = ValueOf<typeof exchangeInformation>;
export type SymbolKinds = KindOf<typeof symbolInformation>;

const leverageRule = record({
  leverage: wholeNumber,
  positionNotional: number,
  maintenanceMargin: number,
  initialMargin: number,
});
export type LeverageRule = ValueOf<typeof leverageRule>;
export type LeverageRuleKinds = KindOf<typeof leverageRule>;

const feeTier = record({ tier: wholeNumber, maker: number, volume30D: number, taker: number });
export type FeeTier = ValueOf<typeof feeTier>;
export type FeeTierKinds = KindOf<typeof feeTier>;

/** Section 2.1. A count is null if the exchange sent none, or a value that cannot be a count, such as −1. */
export type Page<Item> = {
  readonly content: readonly Item[];
  readonly size: NumberText | null;
  readonly totalPages: NumberText | null;
  readonly totalElements: NumberText | null;
  readonly extra: JsonObject;
};

/** Section 2.1: the envelope of every history. Rows may come without one, and a count without a list. */
function page<Item, Kind>(item: Decoder<Item, Kind>): Decoder<Page<Item>, Kind> {
  const envelope = record({
    content: listOrEmpty(item),
    size: countOrNull,
    totalPages: countOrNull,
    totalElements: countOrNull,
  });
  return (value, path, badRecords) => {
    const isEnvelope = isJsonObject(value) && Object.hasOwn(value, 'totalElements');
    const answer = isEnvelope ? { content: null, ...value } : value;
    return envelope(Array.isArray(value) ? { content: value } : answer, path, badRecords);
  };
}

export const pages = {
  orders: page(order),
  trades: page(trade),
  lots: page(lot),
  transactions: page(transaction),
} as const;

/** What each field of a history's records is. */
export type HistoryKinds = { readonly [Name in keyof typeof pages]: KindOf<(typeof pages)[Name]> };

/** Section 2.8. */
export const leverageRules = list(leverageRule);

/** Section 2.9. */
export const feeTiers = list(feeTier);

/** Section 4.6: the orders that cancel-all returns. */
export const canceledOrders = list(canceledOrder, true);
