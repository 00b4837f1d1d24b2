import { fractionDigits, negated, product, type NumberText } from '../../base/decimal.ts';
import { dayMs, minuteMs } from '../../base/time.ts';
import type { Order, Trade, Transaction } from '../../exchange/records.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';
import { doubtfulDigits } from './rounding.ts';
import {
  identityNames,
  type Checkpoint,
  type IdentityName,
  type LedgerHistory,
  type LedgerRecord,
} from '../ledger.ts';

/** What a record contributes to an identity. */
export type Term = {
  /** The asset or symbol that is judged. */
  readonly subject: string;
  /** What ties records together beyond their subject: an order, a transfer. Null is unknown. */
  readonly key?: string | null;
  /** Null is unknown. */
  readonly amount: NumberText | null;
  /** The sum may differ from 0 by less than this. */
  readonly tolerance?: NumberText;
  /** Of a trade, its amount; of an order, the filled amount, negated. Below 0 together, trades are missing. */
  readonly volume?: NumberText | null;
  /** Its trades may lie any time before or after it, and any time apart. */
  readonly mayRest?: boolean;
};

type Assets = Pick<ReconciliationReader, 'marginAssetOf'>;

export type TermOf<Record> = (record: Record, assets: Assets) => Term | null;

/** The histories that an identity needs, and what their records contribute; null is nothing. */
export type TermsByHistory = {
  readonly [History in LedgerHistory]?: TermOf<LedgerRecord<History>>;
};

/** One way in which an exchange may book: which one fits is learned. */
export type IdentityReading = { readonly name: string; readonly terms: TermsByHistory };

/**
 * How terms are compared:
 * - `figures`: between two checkpoints, they add up to the change of a figure of the account;
 * - `idleSpans`: those between two spans without records add up to 0, but for those of the history
 *   `mayStandAlone` that have no opposite;
 * - `keys`: those with the same key add up to 0. Records with one key lie at most `apartMs` apart, except
 *   for an order that may rest.
 */
export type Comparison =
  | {
      readonly by: 'figures';
      /** The amounts that add up to the figure of each subject. */
      readonly figures: (checkpoint: Checkpoint) => Figures | null;
      /** Those of a subject that is not named, null if unknown. */
      readonly absent: readonly NumberText[] | null;
      /** Whether an exchange may write amounts below 0 without their sign. */
      readonly mayLackSign: boolean;
      /** Records near which a figure may change without a row. */
      readonly unclearNear: TermsByHistory;
    }
  | { readonly by: 'idleSpans'; readonly mayStandAlone?: LedgerHistory }
  | {
      readonly by: 'keys';
      /** A key is judged only with a record of this history; undefined if any record will do. */
      readonly needs?: LedgerHistory;
      readonly apartMs: number;
    };

export type FigureComparison = Extract<Comparison, { by: 'figures' }>;

/** Null is a subject whose figure is unknown. */
export type Figures = ReadonlyMap<string, readonly NumberText[] | null>;

export type Identity = {
  readonly name: IdentityName;
  readonly comparison: Comparison;
  readonly readings: readonly IdentityReading[];
  /** Each term has its own opposite in another history: a row without it is suspicious. */
  readonly isPaired: boolean;
};

/** `time` may be when an order was placed or when it was completed. */
const ofOrders = { by: 'keys', needs: 'orders', apartMs: dayMs } as const;

/** Everything that is checked. None of it is in the API document: each is learned before it can contradict. */
const definitions: Readonly<Record<IdentityName, Omit<Identity, 'name'>>> = {
  deposited: {
    comparison: {
      by: 'figures',
      figures: depositedByAsset,
      absent: null,
      mayLackSign: false,
      unclearNear: {},
    },
    readings: [
      { name: 'FUTURE', terms: { futureTransactions: balanceChange } },
      { name: 'SPOT', terms: { spotTransactions: balanceChange } },
      {
        name: 'FUTURE_AND_SPOT',
        terms: { futureTransactions: balanceChange, spotTransactions: balanceChange },
      },
    ],
    isPaired: false,
  },
  position: {
    comparison: {
      by: 'figures',
      figures: amountsBySymbol,
      absent: [],
      mayLackSign: true,
      unclearNear: { orders: liquidatedOrder, futureTransactions: ofType('LIQUIDATION_FEE') },
    },
    readings: [{ name: 'signedFills', terms: { trades: signedFill } }],
    isPaired: false,
  },
  tradeFees: {
    // A withdrawal or a loan has a fee too.
    comparison: { by: 'idleSpans', mayStandAlone: 'futureTransactions' },
    readings: [
      {
        name: 'oppositeSigns',
        terms: { trades: tradeFee, futureTransactions: ofType('FEE') },
      },
      {
        name: 'sameSigns',
        terms: {
          trades: (trade, assets) => withOppositeSign(tradeFee(trade, assets)),
          futureTransactions: ofType('FEE'),
        },
      },
    ],
    isPaired: true,
  },
  realizedPl: {
    comparison: { by: 'idleSpans' },
    readings: [
      {
        name: 'sameSigns',
        terms: {
          trades: (trade, assets) => withOppositeSign(realizedPl(trade, assets)),
          futureTransactions: ofType('REALIZED_PL'),
        },
      },
    ],
    isPaired: true,
  },
  transferLegs: {
    comparison: { by: 'keys', apartMs: minuteMs },
    readings: [
      {
        name: 'oppositeSigns',
        terms: { futureTransactions: transferLeg, spotTransactions: transferLeg },
      },
    ],
    isPaired: true,
  },
  filled: {
    comparison: ofOrders,
    readings: [{ name: 'sumOfTrades', terms: { orders: filledOrder, trades: orderTrade } }],
    isPaired: false,
  },
  averageExecutionPrice: {
    comparison: ofOrders,
    readings: [{ name: 'weightedByVolume', terms: { orders: paidByOrder, trades: paidByTrade } }],
    isPaired: false,
  },
};

export const identities: readonly Identity[] = identityNames.map((name) => ({
  name,
  ...definitions[name],
}));

function depositedByAsset({ assets }: Checkpoint): Figures | null {
  return assets && new Map(assets.map(({ name, deposited }) => [name, allKnown([deposited])]));
}

/** Several positions of a symbol add up. */
function amountsBySymbol({ positions }: Checkpoint): Figures | null {
  if (!positions) return null;
  const bySymbol = Map.groupBy(positions, ({ symbol }) => symbol);
  return new Map(
    [...bySymbol].map(([symbol, all]) => [symbol, allKnown(all.map(({ amount }) => amount))]),
  );
}

/** The amounts; null if one of them is unknown. */
function allKnown(amounts: readonly (NumberText | null)[]): readonly NumberText[] | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === amounts.length ? known : null;
}

function balanceChange({ asset, amount }: Transaction): Term {
  return { subject: asset, amount };
}

function ofType(type: string): (transaction: Transaction) => Term | null {
  return (transaction) => (transaction.type === type ? balanceChange(transaction) : null);
}

function transferLeg({ asset, amount, type, transactionUuid }: Transaction): Term | null {
  if (!type.startsWith('TRANSFER_') || transactionUuid === null) return null;
  return { subject: asset, key: transactionUuid, amount };
}

function signedFill({ symbol, side, amount }: Trade): Term {
  if (side === null) return { subject: symbol, amount: null };
  return { subject: symbol, amount: side === 'SELL' ? opposite(amount) : amount };
}

/** It may have no trade, and close the positions of other symbols too. */
function liquidatedOrder({ symbol, status }: Order): Term | null {
  return status === 'LIQUIDATED' ? { subject: symbol, amount: '0' } : null;
}

function tradeFee({ symbol, feeAsset, fee }: Trade, { marginAssetOf }: Assets): Term {
  if (feeAsset === null) return { subject: marginAssetOf(symbol) ?? symbol, amount: null };
  return { subject: feeAsset, amount: fee };
}

function realizedPl({ symbol, rpnl }: Trade, { marginAssetOf }: Assets): Term {
  const asset = marginAssetOf(symbol);
  return asset === null ? { subject: symbol, amount: null } : { subject: asset, amount: rpnl };
}

function withOppositeSign(term: Term): Term {
  return { ...term, amount: opposite(term.amount) };
}

function opposite(amount: NumberText | null): NumberText | null {
  return amount && negated(amount);
}

function filledOrder(order: Order): Term | null {
  return isFinal(order) ? { ...ofOrder(order), amount: opposite(order.filled) } : null;
}

function orderTrade(trade: Trade): Term {
  return { ...ofTrade(trade), amount: trade.amount };
}

/**
 * An average is rounded in a way that is not documented: it may be off by less than its last digit, or by
 * that of a double.
 */
function paidByOrder(order: Order): Term | null {
  const { filled, averageExecutionPrice: average } = order;
  if (!isFinal(order) || average === null) return null;
  if (filled === null) return { ...ofOrder(order), amount: null };
  return {
    ...ofOrder(order),
    amount: negated(product(filled, average)),
    tolerance: product(filled, lastDigitOf(average)),
  };
}

function paidByTrade(trade: Trade): Term {
  const { amount, price } = trade;
  const isKnown = amount !== null && price !== null;
  return { ...ofTrade(trade), amount: isKnown ? product(amount, price) : null };
}

function ofOrder({ symbol, orderId, filled, type }: Order): Omit<Term, 'amount'> {
  return { subject: symbol, key: orderId, volume: opposite(filled), mayRest: type !== 'MARKET' };
}

function ofTrade({ symbol, orderId, amount }: Trade): Omit<Term, 'amount'> {
  return { subject: symbol, key: orderId, volume: amount };
}

/** A `PARTIALLY_EXECUTED` order may still be open: it may be filled further after it was read. */
function isFinal({ status }: Order): boolean {
  return status !== null && status !== 'PARTIALLY_EXECUTED';
}

/** `0.01` for `12.50`; the 15th digit of a number that is written as doubles are. */
function lastDigitOf(text: NumberText): NumberText {
  return `1e${doubtfulDigits(text) - fractionDigits(text)}`;
}
