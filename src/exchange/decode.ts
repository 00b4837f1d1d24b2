import {
  countOrNull,
  flag,
  withDefault,
  integer,
  list,
  listOrEmpty,
  number,
  withFallback,
  nullable,
  record,
  text,
  wholeNumber,
  type Decoder,
} from './decoders.ts';
import type {
  Account,
  AssetBalance,
  CanceledOrder,
  ExchangeInformation,
  FeeTier,
  LeverageRule,
  LockedOrders,
  Lot,
  Order,
  Page,
  Position,
  RateLimit,
  SymbolInformation,
  Trade,
  Transaction,
} from './records.ts';

const orderFields = {
  symbol: text,
  amount: number,
  side: text,
  orderId: integer,
  price: nullable(number),
  clientOrderId: nullable(text),
  averageExecutionPrice: nullable(number),
  filled: number,
  type: text,
  status: text,
};
const order = record<Order>({ ...orderFields, time: integer });
const canceledOrder = record<CanceledOrder>({ ...orderFields, updatedAt: integer });

const assetBalance = record<AssetBalance>({
  isMargin: flag,
  margin: number,
  deposited: number,
  name: text,
  locked: number,
});

const position = record<Position>({
  upl: number,
  symbol: text,
  leverage: wholeNumber,
  amount: number,
  markPrice: nullable(number),
  lockedBalance: number,
  liquidationPrice: nullable(number),
  marginMode: text,
  uplPercentage: number,
  basePrice: number,
});

const lockedOrders = record<LockedOrders>({
  symbol: text,
  lockedAsk: number,
  sumSizeAsk: number,
  lockedBid: number,
  sumSizeBid: number,
});

/** Kept whatever is wrong with it: a limit that is dropped is a limit that is exceeded. */
const rateLimit: Decoder<RateLimit> = withFallback(
  record<RateLimit>({
    intervalNum: withFallback(withDefault(number, '1'), null),
    limit: withFallback(number, null),
    interval: withFallback(text, null),
    rateLimitType: withFallback(text, null),
  }),
  { intervalNum: null, limit: null, interval: null, rateLimitType: null, extra: {} },
);

const symbolInformation = record<SymbolInformation>({
  symbol: text,
  marginAsset: text,
  baseAsset: text,
  pair: text,
  quoteAsset: text,
  status: text,
});

const trade = record<Trade>({
  tradeId: integer,
  orderId: integer,
  symbol: text,
  amount: number,
  price: number,
  side: text,
  maker: flag,
  fee: number,
  rpnl: number,
  feeAsset: text,
  type: text,
  time: integer,
});

const lot = record<Lot>({
  lotId: integer,
  symbol: text,
  side: text,
  amount: number,
  totalBids: integer,
  averageLiquidationPrice: nullable(number),
  marginCallPrice: nullable(number),
  discount: nullable(number),
  updatedAt: integer,
});

const transaction = record<Transaction>({
  transactionId: integer,
  transactionUuid: nullable(text),
  asset: text,
  link: nullable(text),
  amount: number,
  type: text,
  time: integer,
});

/** Sections 2.1 and 2.2. */
export const orderPage: Decoder<Page<Order>> = page(order);

/** Sections 2.1 and 2.3. */
export const tradePage: Decoder<Page<Trade>> = page(trade);

/** Sections 2.1 and 2.4. */
export const lotPage: Decoder<Page<Lot>> = page(lot);

/** Sections 2.1 and 2.5. */
export const transactionPage: Decoder<Page<Transaction>> = page(transaction);

/** Section 2.8. */
export const leverageRules: Decoder<LeverageRule[]> = list(
  record<LeverageRule>({
    leverage: wholeNumber,
    positionNotional: number,
    maintenanceMargin: number,
    initialMargin: number,
  }),
);

/** Section 2.9. */
export const feeTiers: Decoder<FeeTier[]> = list(
  record<FeeTier>({ tier: wholeNumber, maker: number, volume30D: number, taker: number }),
);

/** Section 4.6: the orders that cancel-all returns. */
export const canceledOrders: Decoder<CanceledOrder[]> = list(canceledOrder, true);

/** Section 2.6. */
export const account = record<Account>({
  upl: number,
  feeTierStructure: wholeNumber,
  feeTierDiscount: wholeNumber,
  assets: list(assetBalance),
  tradeFeeAsset: text,
  positions: list(position),
  orders: list(lockedOrders),
  equity: number,
});

/** Section 2.7. Whatever is wrong with the other fields, the limits are known. */
export const exchangeInformation = record<ExchangeInformation>({
  rateLimits: list(rateLimit),
  timezone: withFallback(text, null),
  serverTime: withFallback(integer, null),
  symbols: withFallback(list(symbolInformation), []),
});

/** Section 2.1: the envelope of every history. Rows that come without one are a page of unknown counts. */
function page<Item>(item: Decoder<Item>): Decoder<Page<Item>> {
  const envelope = record<Page<Item>>({
    content: listOrEmpty(item),
    size: countOrNull,
    totalPages: countOrNull,
    totalElements: countOrNull,
  });
  return (value, path, badRecords) =>
    envelope(Array.isArray(value) ? { content: value } : value, path, badRecords);
}
