type Privacy = 'private' | 'public';

/** An order's fields but its time, whose name depends on the operation. */
const orderFields = {
  symbol: 'public',
  amount: 'private',
  side: 'public',
  orderId: 'public',
  price: 'public',
  clientOrderId: 'public',
  averageExecutionPrice: 'public',
  filled: 'private',
  type: 'public',
  status: 'public',
} as const;

/**
 * Whether privacy hides the fields of each record of the API, by their names in the API. `private` are
 * amounts that show how much a person has, owes, trades or earns. `exchange/recordPrivacy.ts` does not
 * compile unless each record has a group here that names its fields, and no others.
 */
const groups = {
  order: { ...orderFields, time: 'public' },
  canceledOrder: { ...orderFields, updatedAt: 'public' },
  trade: {
    tradeId: 'public',
    orderId: 'public',
    symbol: 'public',
    amount: 'private',
    price: 'public',
    side: 'public',
    maker: 'public',
    fee: 'private',
    rpnl: 'private',
    feeAsset: 'public',
    type: 'public',
    time: 'public',
  },
  lot: {
    lotId: 'public',
    symbol: 'public',
    side: 'public',
    amount: 'private',
    totalBids: 'public',
    averageLiquidationPrice: 'public',
    marginCallPrice: 'public',
    discount: 'public',
    updatedAt: 'public',
  },
  transaction: {
    transactionId: 'public',
    transactionUuid: 'public',
    asset: 'public',
    link: 'public',
    amount: 'private',
    type: 'public',
    time: 'public',
  },
  account: {
    upl: 'private',
    feeTierStructure: 'public',
    feeTierDiscount: 'public',
    tradeFeeAsset: 'public',
    equity: 'private',
  },
  assetBalance: {
    isMargin: 'public',
    margin: 'private',
    deposited: 'private',
    name: 'public',
    locked: 'private',
  },
  position: {
    upl: 'private',
    symbol: 'public',
    leverage: 'public',
    amount: 'private',
    markPrice: 'public',
    lockedBalance: 'private',
    liquidationPrice: 'public',
    marginMode: 'public',
    uplPercentage: 'public',
    basePrice: 'public',
  },
  lockedOrders: {
    symbol: 'public',
    lockedAsk: 'private',
    sumSizeAsk: 'private',
    lockedBid: 'private',
    sumSizeBid: 'private',
  },
  exchangeInformation: { timezone: 'public', serverTime: 'public' },
  rateLimit: {
    intervalNum: 'public',
    limit: 'public',
    interval: 'public',
    rateLimitType: 'public',
  },
  symbolInformation: {
    symbol: 'public',
    marginAsset: 'public',
    baseAsset: 'public',
    pair: 'public',
    quoteAsset: 'public',
    status: 'public',
  },
  leverageRule: {
    leverage: 'public',
    positionNotional: 'public',
    maintenanceMargin: 'public',
    initialMargin: 'public',
  },
  feeTier: { tier: 'public', maker: 'public', volume30D: 'public', taker: 'public' },
  /** Of no record but computed: an estimate, a sum, percentages, times. */
  computed: {
    asOf: 'public',
    notional: 'private',
    total: 'private',
    distance: 'public',
    direction: 'public',
    equityFallPercent: 'public',
    criticalPercent: 'public',
    ratio: 'public',
    rows: 'public',
    complete: 'public',
    first: 'private',
    lowest: 'private',
    highest: 'private',
    seconds: 'public',
    expectedFee: 'private',
    overcharge: 'private',
    // With every digit it could tell the amount.
    impliedRate: 'private',
    tierRate: 'public',
    billedAs: 'public',
  },
} as const;

/** A group of fields, which are those of one record or the computed ones. */
export type FieldGroup = (typeof groups)[keyof typeof groups];

/** A field whose figures can be shown. */
export type DisplayField = NameIn<FieldGroup>;

type NameIn<Group> = Group extends unknown ? keyof Group : never;

type ClassIn<Group, Name> = Group extends unknown
  ? Name extends keyof Group
    ? Group[Name]
    : never
  : never;

/** The names that are private in one group and public in another. */
type Ambiguous<Group> = {
  [Name in NameIn<Group>]: Privacy extends ClassIn<Group, Name> ? Name : never;
}[NameIn<Group>];

/** Figures are shown by the name of their field alone: groups that disagree on a name do not compile. */
export function privacyByName<const Groups extends Readonly<Record<string, object>>>(
  all: [Ambiguous<Groups[keyof Groups]>] extends [never] ? Groups : never,
): Readonly<Record<NameIn<Groups[keyof Groups]>, Privacy>> {
  const fields = Object.values<object>(all).flatMap((group) => Object.entries(group));
  return Object.fromEntries(fields) as Record<NameIn<Groups[keyof Groups]>, Privacy>;
}

export const fieldPrivacy = privacyByName(groups);
