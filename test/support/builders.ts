import {
  records,
  type FieldName,
  type RecordDescription,
  type RecordName,
} from '../../src/api/fields.ts';
import { difference, product } from '../../src/base/decimal.ts';
import type { Profile } from '../../src/account/session/profile.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import { defaultConventions } from '../../src/exchange/history/apiConventions.ts';
import type {
  Account,
  LockedOrders,
  Order,
  Position,
  Trade,
  Transaction,
} from '../../src/exchange/records.ts';
import type { CheckpointFees } from '../../src/ledger/ledger.ts';

/** The profile of an account on a test system. */
export function aProfile(fields: Partial<Profile> = {}): Profile {
  return {
    name: 'Mine',
    environment: 'test',
    baseUrl: 'https://host.example',
    readOnly: false,
    limitPer: 'origin',
    auth: defaultHmacQuery,
    sign: [],
    dialect: defaultConventions,
    ...fields,
  };
}

/** A record of which every field is known. */
export type Whole<Of> = { readonly [Name in keyof Of]: NonNullable<Of[Name]> };

/** Records with defaults: a test names only the fields that it is about. */

/** A new field of the API is null until a builder gives it a value. */
function nulls<Of extends RecordName>(record: Of) {
  const names = Object.keys(records[record].fields);
  return Object.fromEntries(names.map((name) => [name, null])) as Record<FieldName<Of>, null>;
}

/** Its `upl` follows from its amount and prices, so that its direction is that of the amount’s sign. */
export function aPosition(fields: Partial<Position> = {}): Position {
  const position = {
    symbol: 'btc_usdt',
    leverage: '5',
    amount: '0.25',
    markPrice: '50050',
    lockedBalance: '2500',
    liquidationPrice: '41000',
    marginMode: 'ISOLATED',
    uplPercentage: '0.5',
    basePrice: '50000',
    extra: {},
    ...fields,
  };
  return { ...nulls('position'), upl: uplOf(position), ...position };
}

type PositionFigures = Pick<Position, 'amount' | 'markPrice' | 'basePrice'>;

function uplOf({ amount, markPrice, basePrice }: PositionFigures): string {
  if (amount === null || markPrice === null || basePrice === null) return '0';
  return product(amount, difference(markPrice, basePrice));
}

export function someLocked(fields: Partial<LockedOrders> = {}): LockedOrders {
  return {
    symbol: 'btc_usdt',
    lockedAsk: '0',
    sumSizeAsk: '0',
    lockedBid: '100',
    sumSizeBid: '2',
    extra: {},
    ...fields,
  };
}

export function anAccount(fields: Partial<Account> = {}): Account {
  return {
    upl: '12.5',
    feeTierStructure: '1',
    feeTierDiscount: '0',
    assets: [
      {
        isMargin: true,
        margin: '10000',
        deposited: '12000',
        name: 'usdt',
        locked: '100',
        extra: {},
      },
    ],
    tradeFeeAsset: 'usdt',
    positions: [aPosition()],
    orders: [someLocked()],
    equity: '12012.5',
    extra: {},
    ...fields,
  };
}

export function anOrder(fields: Partial<Order> = {}): Order {
  return {
    ...nulls('order'),
    symbol: 'btc_usdt',
    amount: '2',
    side: 'BUY',
    orderId: '9007199254740993',
    price: '50000',
    clientOrderId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    averageExecutionPrice: '49999.5',
    filled: '1',
    type: 'LIMIT',
    status: 'PARTIALLY_EXECUTED',
    time: '1763632800123',
    extra: {},
    ...fields,
  };
}

export function aTrade(fields?: Partial<Whole<Trade>>): Whole<Trade>;
export function aTrade(fields: Partial<Trade>): Trade;
export function aTrade(fields: Partial<Trade> = {}): Trade {
  return {
    ...nulls('trade'),
    tradeId: '900719925474099',
    orderId: '800719925474099',
    symbol: 'btc_usdt',
    amount: '0.5',
    price: '50000.1',
    side: 'BUY',
    maker: false,
    fee: '-0.012',
    rpnl: '0',
    feeAsset: 'usdt',
    type: 'LIMIT',
    time: '1763632800123',
    extra: {},
    ...fields,
  };
}

type BookedTransaction = Transaction & Pick<Whole<Transaction>, 'amount'>;

export function aTransaction(fields?: Partial<BookedTransaction>): BookedTransaction;
export function aTransaction(fields: Partial<Transaction>): Transaction;
export function aTransaction(fields: Partial<Transaction> = {}): Transaction {
  return {
    ...nulls('transaction'),
    transactionId: '700719925474099',
    transactionUuid: null,
    asset: 'usdt',
    link: null,
    amount: '-0.012',
    type: 'FEE',
    time: '1763632800123',
    extra: {},
    ...fields,
  };
}

/** Writes records as an exchange would: texts as strings, amounts, ids and times as numbers digit for digit. */
export function wire(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(wire).join(',')}]`;
  if (typeof value !== 'object' || value === null) return wireScalar(value);
  const fields = Object.entries(value).filter(([name]) => name !== 'extra');
  const texts = fields.map(([name, field]) => {
    return `"${name}":${textFields.has(name) ? JSON.stringify(field) : wire(field)}`;
  });
  return `{${texts.join(',')}}`;
}

const textFields = new Set(
  Object.values<RecordDescription>(records)
    .flatMap(({ fields }) => Object.entries(fields))
    .flatMap(([name, { kind }]) => (kind === 'word' || kind === 'reference' ? [name] : [])),
);

/** A number's text stands in the JSON as it is, digit for digit. */
function wireScalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Of a checkpoint before the account's fees were read. */
export const unknownFees: CheckpointFees = { tier: null, discount: null, rates: null };
