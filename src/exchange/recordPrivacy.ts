import type { DisplayField } from '../base/display.ts';
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
  Position,
  RateLimit,
  SymbolInformation,
  Trade,
  Transaction,
} from './records.ts';

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
      [K in keyof Item]: K extends 'extra'
        ? never
        : Item[K] extends readonly unknown[] | null
          ? never
          : K;
    }[keyof Item]
  : never;

/** A field that `base/display.ts` classifies as private or public. */
export type Classified<Field extends DisplayField> = Field;

/** Every field of every record. A field without a privacy class does not compile here. */
export type RecordField = Classified<ValueFieldOf<AnyRecord>>;
