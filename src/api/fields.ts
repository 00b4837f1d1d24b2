/**
 * The records of the API (section 2 of `docs/api.md`) as data: what each field is, by its own name and in the
 * order of the document. Decoders, types, privacy, and the columns of tables, exports and the ledger follow from it.
 */

/**
 * `word`: text of few different values. `reference`: text that names one thing. `number`: an amount, a price or a
 * rate. `id`: a whole number that names a record. `time`: a timestamp. All but a `flag` are text, digit for digit.
 */
export type FieldKind = 'word' | 'reference' | 'number' | 'id' | 'flag' | 'time';

export type Field = {
  readonly kind: FieldKind;
  /** `private` is what shows how much a person has, owes, trades or earns. */
  readonly privacy: 'private' | 'public';
  /** The field is null without a readable value. A record without one of its other fields does not count. */
  readonly isNullable?: true;
  /** Tells the records of one list apart, together with the other fields that do. */
  readonly isIdentity?: true;
  /** A number without decimals, which some exchanges write as `10.0`. */
  readonly isWhole?: true;
  /** The values that the API names; an exchange may send others. */
  readonly values?: readonly string[];
};

/** The records of this name. */
type ListField = { readonly kind: 'list'; readonly of: string; readonly isNullable?: true };

export type AnyField = Field | ListField;

export type RecordDescription = {
  readonly section: string;
  /** A field that is null is reported, also if the exchange sent none: it must not pass for nothing. */
  readonly reportsNull?: true;
  readonly fields: Readonly<Record<string, AnyField>>;
};

const symbol = { kind: 'word', privacy: 'public', isIdentity: true } as const;
const sides = ['BUY', 'SELL'] as const;
const side = { kind: 'word', privacy: 'public', isNullable: true, values: sides } as const;
const statuses = ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'] as const;
const transactionTypes = [
  ...(['DEPOSIT', 'WITHDRAW', 'FEE', 'FUNDING_FEE', 'REALIZED_PL'] as const),
  ...(['LIQUIDATION_FEE', 'TRANSFER_TO_SPOT', 'TRANSFER_TO_FUTURE', 'REWARD'] as const),
] as const;

/** An order’s fields before and after its time, whose name depends on the operation. */
const orderHead = {
  symbol,
  amount: { kind: 'number', privacy: 'private', isNullable: true },
  side,
  orderId: { kind: 'id', privacy: 'public', isIdentity: true },
  price: { kind: 'number', privacy: 'public', isNullable: true },
  clientOrderId: { kind: 'reference', privacy: 'public', isNullable: true },
  averageExecutionPrice: { kind: 'number', privacy: 'public', isNullable: true },
  filled: { kind: 'number', privacy: 'private', isNullable: true },
} as const;
const orderTail = {
  type: { kind: 'word', privacy: 'public', isNullable: true, values: ['LIMIT', 'MARKET'] },
  status: { kind: 'word', privacy: 'public', isNullable: true, values: statuses },
} as const;

export const records = {
  order: {
    section: '2.2',
    fields: { ...orderHead, time: { kind: 'time', privacy: 'public' }, ...orderTail },
  },
  /** As cancel-all returns it. */
  canceledOrder: {
    section: '2.2',
    fields: { ...orderHead, updatedAt: { kind: 'time', privacy: 'public' }, ...orderTail },
  },
  trade: {
    section: '2.3',
    fields: {
      tradeId: { kind: 'id', privacy: 'public', isIdentity: true },
      orderId: { kind: 'id', privacy: 'public', isNullable: true },
      symbol,
      amount: { kind: 'number', privacy: 'private', isNullable: true },
      price: { kind: 'number', privacy: 'public', isNullable: true },
      side,
      maker: { kind: 'flag', privacy: 'public', isNullable: true },
      fee: { kind: 'number', privacy: 'private', isNullable: true },
      rpnl: { kind: 'number', privacy: 'private', isNullable: true },
      feeAsset: { kind: 'word', privacy: 'public', isNullable: true },
      type: { kind: 'word', privacy: 'public', isNullable: true, values: ['ORDER_BOOK'] },
      time: { kind: 'time', privacy: 'public', isIdentity: true },
    },
  },
  /** Lots are of the whole exchange; no field says whose position they came from. */
  lot: {
    section: '2.4',
    fields: {
      lotId: { kind: 'id', privacy: 'public', isIdentity: true },
      symbol,
      side,
      amount: { kind: 'number', privacy: 'private', isNullable: true },
      totalBids: { kind: 'number', privacy: 'public', isNullable: true, isWhole: true },
      averageLiquidationPrice: { kind: 'number', privacy: 'public', isNullable: true },
      marginCallPrice: { kind: 'number', privacy: 'public', isNullable: true },
      discount: { kind: 'number', privacy: 'public', isNullable: true },
      updatedAt: { kind: 'time', privacy: 'public' },
    },
  },
  transaction: {
    section: '2.5',
    fields: {
      transactionId: { kind: 'id', privacy: 'public', isIdentity: true },
      transactionUuid: { kind: 'reference', privacy: 'public', isNullable: true },
      asset: { kind: 'word', privacy: 'public', isIdentity: true },
      link: { kind: 'reference', privacy: 'public', isNullable: true },
      amount: { kind: 'number', privacy: 'private', isNullable: true },
      type: { kind: 'word', privacy: 'public', isIdentity: true, values: transactionTypes },
      time: { kind: 'time', privacy: 'public', isIdentity: true },
    },
  },
  /** A list that is null is unknown, not empty. */
  account: {
    section: '2.6',
    reportsNull: true,
    fields: {
      upl: { kind: 'number', privacy: 'private', isNullable: true },
      feeTierStructure: { kind: 'number', privacy: 'public', isNullable: true, isWhole: true },
      feeTierDiscount: { kind: 'number', privacy: 'public', isNullable: true, isWhole: true },
      assets: { kind: 'list', of: 'assetBalance', isNullable: true },
      tradeFeeAsset: { kind: 'word', privacy: 'public', isNullable: true },
      positions: { kind: 'list', of: 'position', isNullable: true },
      orders: { kind: 'list', of: 'lockedOrders', isNullable: true },
      equity: { kind: 'number', privacy: 'private', isNullable: true },
    },
  },
  assetBalance: {
    section: '2.6',
    fields: {
      isMargin: { kind: 'flag', privacy: 'public', isNullable: true },
      margin: { kind: 'number', privacy: 'private', isNullable: true },
      deposited: { kind: 'number', privacy: 'private', isNullable: true },
      name: { kind: 'word', privacy: 'public', isIdentity: true },
      locked: { kind: 'number', privacy: 'private', isNullable: true },
    },
  },
  position: {
    section: '2.6',
    fields: {
      upl: { kind: 'number', privacy: 'private', isNullable: true },
      symbol,
      leverage: { kind: 'number', privacy: 'public', isNullable: true, isWhole: true },
      amount: { kind: 'number', privacy: 'private', isNullable: true },
      markPrice: { kind: 'number', privacy: 'public', isNullable: true },
      lockedBalance: { kind: 'number', privacy: 'private', isNullable: true },
      liquidationPrice: { kind: 'number', privacy: 'public', isNullable: true },
      marginMode: { kind: 'word', privacy: 'public', isNullable: true, values: ['ISOLATED'] },
      uplPercentage: { kind: 'number', privacy: 'public', isNullable: true },
      basePrice: { kind: 'number', privacy: 'public', isNullable: true },
    },
  },
  /** What open orders lock, one record per symbol. */
  lockedOrders: {
    section: '2.6',
    reportsNull: true,
    fields: {
      symbol,
      lockedAsk: { kind: 'number', privacy: 'private', isNullable: true },
      sumSizeAsk: { kind: 'number', privacy: 'private', isNullable: true },
      lockedBid: { kind: 'number', privacy: 'private', isNullable: true },
      sumSizeBid: { kind: 'number', privacy: 'private', isNullable: true },
    },
  },
  exchangeInformation: {
    section: '2.7',
    reportsNull: true,
    fields: {
      rateLimits: { kind: 'list', of: 'rateLimit' },
      timezone: { kind: 'word', privacy: 'public', isNullable: true },
      serverTime: { kind: 'time', privacy: 'public', isNullable: true },
      symbols: { kind: 'list', of: 'symbolInformation' },
    },
  },
  rateLimit: {
    section: '2.7',
    reportsNull: true,
    fields: {
      intervalNum: { kind: 'number', privacy: 'public', isNullable: true, isWhole: true },
      limit: { kind: 'number', privacy: 'public', isNullable: true, isWhole: true },
      interval: { kind: 'word', privacy: 'public', isNullable: true, values: ['MINUTE'] },
      rateLimitType: { kind: 'word', privacy: 'public', isNullable: true, values: ['HARD_LIMIT'] },
    },
  },
  symbolInformation: {
    section: '2.7',
    fields: {
      symbol,
      marginAsset: { kind: 'word', privacy: 'public' },
      baseAsset: { kind: 'word', privacy: 'public' },
      pair: { kind: 'word', privacy: 'public' },
      quoteAsset: { kind: 'word', privacy: 'public' },
      status: { kind: 'word', privacy: 'public', values: ['TRADING'] },
    },
  },
  leverageRule: {
    section: '2.8',
    fields: {
      leverage: { kind: 'number', privacy: 'public', isWhole: true, isIdentity: true },
      positionNotional: { kind: 'number', privacy: 'public' },
      maintenanceMargin: { kind: 'number', privacy: 'public' },
      initialMargin: { kind: 'number', privacy: 'public' },
    },
  },
  feeTier: {
    section: '2.9',
    fields: {
      tier: { kind: 'number', privacy: 'public', isWhole: true, isIdentity: true },
      maker: { kind: 'number', privacy: 'public' },
      volume30D: { kind: 'number', privacy: 'public' },
      taker: { kind: 'number', privacy: 'public' },
    },
  },
} as const satisfies Readonly<Record<string, RecordDescription>>;

export type RecordName = keyof typeof records;
export type FieldsOf<Name extends RecordName> = (typeof records)[Name]['fields'];

/** The fields of a record that are values. */
export type FieldName<Name extends RecordName> = {
  [Each in keyof FieldsOf<Name>]: FieldsOf<Name>[Each] extends Field ? Each : never;
}[keyof FieldsOf<Name>] &
  string;

/** The fields of a record that are of one of these kinds. */
export type FieldOfKind<Name extends RecordName, Kind extends FieldKind> = {
  [Each in keyof FieldsOf<Name>]: FieldsOf<Name>[Each] extends { kind: Kind } ? Each : never;
}[keyof FieldsOf<Name>] &
  string;

/** The values that the API names for a field. */
export type NamedValue<
  Name extends RecordName,
  Each extends FieldName<Name>,
> = FieldsOf<Name>[Each] extends { values: readonly (infer Named extends string)[] }
  ? Named
  : string;

/** What open orders lock and leave to be filled. */
export const lockedFigures = Object.entries<Field>(records.lockedOrders.fields)
  .filter(([, { kind }]) => kind === 'number')
  .map(([field]) => field as FieldOfKind<'lockedOrders', 'number'>);
