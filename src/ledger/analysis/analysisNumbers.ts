import { quotient, type NumberText } from '../../base/decimal.ts';
import type { AssetNumbers, Statistic, OrderResult } from './analysis.ts';
import type { FeeSign } from '../ledger.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';
import type { AnalysisScope } from './analysisScope.ts';
import {
  added,
  less,
  negative,
  signOf,
  textOf,
  zeroAmount,
  type ExactAmount,
} from './exactAmount.ts';
import { groupedSums, storedSums, textSums, type GroupedSum } from './groupedSums.ts';
import { provedFeeSign } from './feeSign.ts';
import { realizedPlAgreement } from './realizedPlAgreement.ts';

/** A statistic of fewer is marked. */
const smallSample = 20;

/** All trades in which P&L is realised in an asset. */
type TradeTotals = {
  assetBasis: AssetBasis;
  fills: number;
  makerFills: number;
  readonly feeAssets: Set<string>;
};

/** Those above 0 and those below, as trades have them. */
type Fees = { readonly above: ExactAmount; readonly below: ExactAmount };

/** What transactions of an asset cost or bring beside fees of trades, also without a trade in the period. */
type Booked = { readonly funding: ExactAmount; readonly liquidationFees: ExactAmount };

type Figures = ClosedOrders & Fees & Booked & { readonly trades: TradeTotals };

const noFees: Fees = { above: zeroAmount, below: zeroAmount };
const nothingBooked: Booked = { funding: zeroAmount, liquidationFees: zeroAmount };

/** The numbers of each asset in which P&L is realised. */
export function assetNumbers(scope: AnalysisScope): readonly AssetNumbers[] {
  const { trades, fees } = tradeTotals(scope);
  const orders = closedOrders(scope);
  const booked = bookedTotals(scope);
  const agreementOf = realizedPlAgreement(scope);
  const feeSign = provedFeeSign(scope.database);
  return [...new Set([...trades.keys(), ...booked.keys()])].sort().map((asset) => {
    const figures: Figures = {
      ...(orders.get(asset) ?? noClosedOrders),
      ...(fees.get(asset) ?? noFees),
      ...(booked.get(asset) ?? nothingBooked),
      trades: trades.get(asset) ?? noTrades('known'),
    };
    return { asset, ...numbersOf(asset, figures, feeSign), agreement: agreementOf(asset) };
  });
}

function numbersOf(
  asset: string,
  figures: Figures,
  feeSign: FeeSign,
): Omit<AssetNumbers, 'asset' | 'agreement'> {
  const { won, lost, above, below, funding, liquidationFees, trades } = figures;
  const closed = won.count + lost.count;
  const gross = added(won.amount, lost.amount);
  const fees = trades.assetBasis === 'unknown' ? null : paidFees(figures, feeSign);
  const net = fees && added(less(gross, fees.all), added(liquidationFees, funding));
  const count = (value: number): ExactAmount => ({ integer: BigInt(value), fraction: 0 });
  return {
    assetBasis: trades.assetBasis,
    closedOrders: closed,
    wins: won.count,
    losses: lost.count,
    winRate: ratio(count(won.count), count(closed), closed),
    averageWin: ratio(won.amount, count(won.count), won.count),
    averageLoss: ratio(lost.amount, count(lost.count), lost.count),
    largestWin: won.largest,
    largestLoss: lost.largest,
    profitFactor: ratio(won.amount, negative(lost.amount), closed),
    grossPl: textOf(gross),
    feesPaid: fees && textOf(fees.paid),
    feeRebates: fees && textOf(fees.rebates),
    feesAsSent: textOf(added(above, below)),
    liquidationFees: textOf(liquidationFees),
    funding: textOf(funding),
    netPl: net && textOf(net),
    otherFeeAssets: [...trades.feeAssets].filter((each) => each !== asset).sort(),
    feeShare: fees ? ratio(fees.all, gross, closed) : statistic(null, closed),
    makerShare: ratio(count(trades.makerFills), count(trades.fills), trades.fills),
  };
}

/** Rounded to 20 decimals. */
function ratio(dividend: ExactAmount, divisor: ExactAmount, sample: number): Statistic {
  const value = signOf(divisor) > 0 ? quotient(textOf(dividend), textOf(divisor)) : null;
  return statistic(value, sample);
}

function statistic(value: NumberText | null, sample: number): Statistic {
  return { value, sample, isSmallSample: sample < smallSample };
}

/** What was paid and what came back, below 0; null if that depends on a sign that is not known. */
function paidFees({ above, below }: Fees, feeSign: FeeSign) {
  const isNone = signOf(above) === 0 && signOf(below) === 0;
  if (feeSign === null && !isNone) return null;
  const [paid, rebates] =
    feeSign === 'negative' ? [negative(below), negative(above)] : [above, below];
  return { paid, rebates, all: added(paid, rebates) };
}

function tradeTotals({ database, period, symbols }: AnalysisScope) {
  const trades = new Map<string, TradeTotals>();
  const fees = new Map<string, Fees>();
  for (const { keys, isNegative, amount, count } of groupedSums(database, {
    history: 'trades',
    field: 'fee',
    interval: period,
    bySign: true,
    keys: ['symbol', 'feeAsset', 'maker'],
  })) {
    const { symbol, feeAsset, maker } = keys;
    const { asset, assetBasis } = symbols.assetOf(symbol, 'marginAsset');
    const totals = trades.get(asset) ?? noTrades(assetBasis);
    trades.set(asset, totals);
    if (assetBasis !== 'known') totals.assetBasis = assetBasis;
    totals.fills += count;
    if (maker === '1') totals.makerFills += count;
    if (signOf(amount) === 0) continue;
    totals.feeAssets.add(feeAsset);
    const { above, below } = fees.get(feeAsset) ?? noFees;
    fees.set(
      feeAsset,
      isNegative ? { above, below: added(below, amount) } : { above: added(above, amount), below },
    );
  }
  return { trades, fees };
}

function noTrades(assetBasis: AssetBasis): TradeTotals {
  return { assetBasis, fills: 0, makerFills: 0, feeAssets: new Set() };
}

/** Realised P&L is that of the trades: what is booked is compared with it. */
function withBooked({ funding, liquidationFees }: Booked, type: string, amount: ExactAmount) {
  return {
    funding: type === 'FUNDING_FEE' ? added(funding, amount) : funding,
    liquidationFees: type === 'LIQUIDATION_FEE' ? added(liquidationFees, amount) : liquidationFees,
  };
}

function bookedTotals({ database, period }: AnalysisScope): ReadonlyMap<string, Booked> {
  const totals = new Map<string, Booked>();
  for (const { keys, amount } of groupedSums(database, {
    history: 'futureTransactions',
    field: 'amount',
    interval: period,
    keys: ['asset', 'type'],
    types: { are: 'in', names: ['FUNDING_FEE', 'LIQUIDATION_FEE', 'REALIZED_PL'] },
  })) {
    const before = totals.get(keys.asset) ?? nothingBooked;
    totals.set(keys.asset, withBooked(before, keys.type, amount));
  }
  return totals;
}

/** The closed orders of one asset that won, or that lost. */
type OrderTotals = {
  readonly count: number;
  readonly amount: ExactAmount;
  readonly largest: OrderResult | null;
};

type ClosedOrders = { readonly won: OrderTotals; readonly lost: OrderTotals };

const none: OrderTotals = { count: 0, amount: zeroAmount, largest: null };
const noClosedOrders: ClosedOrders = { won: none, lost: none };

type Totals = { count: number; amount: ExactAmount; largest: Order | null };
type Order = { readonly orderId: string; readonly symbol: string; readonly amount: ExactAmount };

/**
 * The orders whose fills in the period realise a P&L other than 0, by the asset in which they do. Fills of one
 * order are added up first: one order that is filled in parts is one result.
 */
function closedOrders({
  database,
  period,
  symbols,
}: AnalysisScope): ReadonlyMap<string, ClosedOrders> {
  const query = {
    ...({ history: 'trades', field: 'rpnl', interval: period } as const),
    ...({ keys: ['orderId', 'symbol'], isNotZero: true } as const),
  };
  const byAsset = new Map<string, { readonly won: Totals; readonly lost: Totals }>();
  for (const order of wholeOrders(storedSums(database, query), textSums(database, query))) {
    const { asset } = symbols.assetOf(order.symbol, 'marginAsset');
    const totals = byAsset.get(asset) ?? { won: noOrders(), lost: noOrders() };
    byAsset.set(asset, totals);
    const sign = signOf(order.amount);
    if (sign !== 0) addOrder(sign > 0 ? totals.won : totals.lost, order);
  }
  return new Map(
    [...byAsset].map(([asset, { won, lost }]) => [
      asset,
      { won: finished(won), lost: finished(lost) },
    ]),
  );
}

type OrderSum = GroupedSum<'orderId' | 'symbol'>;

/** Fills with too many digits for SQLite's integers come on their own: they join the others of their order. */
function* wholeOrders(stored: Iterable<OrderSum>, texts: Iterable<OrderSum>): Generator<Order> {
  const rare = new Map<string, Order>();
  const keyOf = ({ orderId, symbol }: OrderSum['keys']): string => `${orderId} ${symbol}`;
  for (const { keys, amount } of texts) {
    const before = rare.get(keyOf(keys))?.amount ?? zeroAmount;
    rare.set(keyOf(keys), { ...keys, amount: added(before, amount) });
  }
  for (const { keys, amount } of stored) {
    const others = rare.size === 0 ? undefined : rare.get(keyOf(keys));
    if (others) rare.delete(keyOf(keys));
    yield { ...keys, amount: others ? added(amount, others.amount) : amount };
  }
  yield* rare.values();
}

function noOrders(): Totals {
  return { count: 0, amount: zeroAmount, largest: null };
}

function addOrder(totals: Totals, order: Order): void {
  totals.count += 1;
  totals.amount = added(totals.amount, order.amount);
  if (!totals.largest || isFarther(order.amount, totals.largest.amount)) totals.largest = order;
}

/** From 0; both have the same sign. */
function isFarther(one: ExactAmount, other: ExactAmount): boolean {
  return signOf(less(one, other)) === signOf(one);
}

function finished({ count, amount, largest }: Totals): OrderTotals {
  return { count, amount, largest: largest && { ...largest, amount: textOf(largest.amount) } };
}
