import type { NumberText } from '../base/decimal.ts';
import type { DisplayField } from '../base/display.ts';
import type { JsonObject, JsonValue } from '../base/exactJson.ts';
import type { Phrase } from '../base/phrase.ts';

/**
 * The records of the API (section 2), under its own field names. Numbers are the text of the wire. Fields
 * that the API does not name are kept in `extra`.
 */

export type { NumberText };

/** The values that the API names, and any other that the exchange may send. */
type OpenEnum<Named extends string> = Named | (string & Record<never, never>);

export type Side = OpenEnum<'BUY' | 'SELL'>;
export type OrderType = OpenEnum<'LIMIT' | 'MARKET'>;
export type OrderStatus = OpenEnum<'PARTIALLY_EXECUTED' | 'EXECUTED' | 'CANCELED' | 'LIQUIDATED'>;
type MarginMode = OpenEnum<'ISOLATED'>;

type Extra = { readonly extra: JsonObject };

/** Section 2.2, common to the order history and to cancel-all. */
type OrderFields = Extra & {
  readonly symbol: string;
  readonly amount: NumberText;
  readonly side: Side;
  readonly orderId: NumberText;
  readonly price: NumberText | null;
  readonly clientOrderId: string | null;
  readonly averageExecutionPrice: NumberText | null;
  readonly filled: NumberText;
  readonly type: OrderType;
  readonly status: OrderStatus;
};

/** Section 2.2: an item of the order history. */
export type Order = OrderFields & { readonly time: NumberText };

/** Section 2.2: an order as cancel-all returns it, with `updatedAt` in place of `time`. */
export type CanceledOrder = OrderFields & { readonly updatedAt: NumberText };

/** Section 2.3. */
export type Trade = Extra & {
  readonly tradeId: NumberText;
  readonly orderId: NumberText;
  readonly symbol: string;
  readonly amount: NumberText;
  readonly price: NumberText;
  readonly side: Side;
  readonly maker: boolean;
  readonly fee: NumberText;
  readonly rpnl: NumberText;
  readonly feeAsset: string;
  readonly type: OpenEnum<'ORDER_BOOK'>;
  readonly time: NumberText;
};

/** Section 2.4: a lot of the liquidation auction. It is the venue's: no field says whose it was. */
export type Lot = Extra & {
  readonly lotId: NumberText;
  readonly symbol: string;
  readonly side: Side;
  readonly amount: NumberText;
  readonly totalBids: NumberText;
  readonly averageLiquidationPrice: NumberText | null;
  readonly marginCallPrice: NumberText | null;
  readonly discount: NumberText | null;
  readonly updatedAt: NumberText;
};

/** Section 4.4: the two accounts whose transactions can be asked for. */
export type AccountType = 'SPOT' | 'FUTURE';

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

/** Section 2.5. */
export type Transaction = Extra & {
  readonly transactionId: NumberText;
  readonly transactionUuid: string | null;
  readonly asset: string;
  readonly link: string | null;
  readonly amount: NumberText;
  readonly type: TransactionType;
  readonly time: NumberText;
};

/** Section 2.6. */
export type AssetBalance = Extra & {
  readonly isMargin: boolean;
  readonly margin: NumberText;
  readonly deposited: NumberText;
  readonly name: string;
  readonly locked: NumberText;
};

/** Section 2.6. */
export type Position = Extra & {
  readonly upl: NumberText;
  readonly symbol: string;
  readonly leverage: NumberText;
  readonly amount: NumberText;
  readonly markPrice: NumberText | null;
  readonly lockedBalance: NumberText;
  readonly liquidationPrice: NumberText | null;
  readonly marginMode: MarginMode;
  readonly uplPercentage: NumberText;
  readonly basePrice: NumberText;
};

/** Section 2.6: one per symbol. */
export type LockedOrders = Extra & {
  readonly symbol: string;
  readonly lockedAsk: NumberText;
  readonly sumSizeAsk: NumberText;
  readonly lockedBid: NumberText;
  readonly sumSizeBid: NumberText;
};

/** Section 2.6. */
export type Account = Extra & {
  readonly upl: NumberText;
  readonly feeTierStructure: NumberText;
  readonly feeTierDiscount: NumberText;
  readonly assets: readonly AssetBalance[];
  readonly tradeFeeAsset: string;
  readonly positions: readonly Position[];
  readonly orders: readonly LockedOrders[];
  readonly equity: NumberText;
};

/** Section 2.7. What could not be read is null. */
export type RateLimit = Extra & {
  /** 1 where the exchange gave none. */
  readonly intervalNum: NumberText | null;
  readonly limit: NumberText | null;
  readonly interval: OpenEnum<'MINUTE'> | null;
  readonly rateLimitType: OpenEnum<'HARD_LIMIT'> | null;
};

/** Section 2.7. */
export type SymbolInformation = Extra & {
  readonly symbol: string;
  readonly marginAsset: string;
  readonly baseAsset: string;
  readonly pair: string;
  readonly quoteAsset: string;
  readonly status: OpenEnum<'TRADING'>;
};

/** Section 2.7. What the exchange did not send as promised is null, or a list without rows. */
export type ExchangeInformation = Extra & {
  readonly rateLimits: readonly RateLimit[];
  readonly timezone: string | null;
  readonly serverTime: NumberText | null;
  readonly symbols: readonly SymbolInformation[];
};

/** Section 2.8. */
export type LeverageRule = Extra & {
  readonly leverage: NumberText;
  readonly positionNotional: NumberText;
  readonly maintenanceMargin: NumberText;
  readonly initialMargin: NumberText;
};

/** Section 2.9. */
export type FeeTier = Extra & {
  readonly tier: NumberText;
  readonly maker: NumberText;
  readonly volume30D: NumberText;
  readonly taker: NumberText;
};

/** Section 2.1. A count is null where the exchange gave none, or one that can be none, such as −1. */
export type Page<Item> = Extra & {
  readonly content: readonly Item[];
  readonly size: NumberText | null;
  readonly totalPages: NumberText | null;
  readonly totalElements: NumberText | null;
};

/** A record that broke its type: where it stood, and what is wrong with it, in one sentence. */
export type BadRecord = {
  readonly path: string;
  readonly problem: Phrase;
  /** The record as it came, of cancel-all only. */
  readonly record?: JsonValue;
};

/** A decoded answer, with the records that had to be set aside. */
export type Decoded<Value> = { readonly value: Value; readonly badRecords: readonly BadRecord[] };

type AnyRecord =
  | Order
  | CanceledOrder
  | Trade
  | Lot
  | Transaction
  | AssetBalance
  | Position
  | LockedOrders
  | Account
  | RateLimit
  | SymbolInformation
  | ExchangeInformation
  | LeverageRule
  | FeeTier;

/** The fields that hold one value: not `extra`, and not lists of records. */
type ValueFieldOf<Item> = Item extends unknown
  ? {
      [K in keyof Item]: K extends 'extra' ? never : Item[K] extends readonly unknown[] ? never : K;
    }[keyof Item]
  : never;

/** A field that `base/display.ts` classifies as private or public. */
export type Classified<Field extends DisplayField> = Field;

/** Every field of every record. A field without a privacy class does not compile here. */
export type RecordField = Classified<ValueFieldOf<AnyRecord>>;
