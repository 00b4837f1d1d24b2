import { quotient, type NumberText, isSame } from '../../base/decimal.ts';
import type { AssetNumbers, Statistic, OrderResult, Agreement } from './analysis.ts';
import type { FeeSign, Interval } from '../ledger.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';
import type { AnalysisScope } from './analysisScope.ts';
import {
  added,
  less,
  negative,
  signOf,
  textOf,
  Totals,
  zeroAmount,
  type ExactAmount,
} from './exactAmount.ts';
import { groupedSums } from './groupedSums.ts';
import { provedFeeSign } from './feeSign.ts';
import { clip } from '../coverage/intervals.ts';
import { coveredSpans } from '../reconciliation/reconciliationReader.ts';
import { storedReader } from '../storage/storedReader.ts';
import { readingIn } from './newestReading.ts';

/** A statistic of fewer is marked. */
const smallSample = 20;

/** All trades in which P&L is realised in an asset. */
type TradeCounts = {
  assetBasis: AssetBasis;
  fills: number;
  makerFills: number;
  readonly feeAssets: Set<string>;
};

/** Fees above and below 0 as trades have them, and what transactions add up to. */
type Summed = 'above' | 'below' | 'FUNDING_FEE' | 'LIQUIDATION_FEE' | 'REALIZED_PL';
type SumsByName = Readonly<Record<Summed, Totals>>;

/** What the numbers of an asset are made of. */
type Figures = {
  readonly trades: TradeCounts;
  readonly orders: ClosedOrders;
  readonly sumOf: (name: Summed) => ExactAmount;
};

/** The numbers of each asset in which P&L is realised. */
export function assetNumbers(scope: AnalysisScope): readonly AssetNumbers[] {
  const sums: SumsByName = {
    ...{ above: new Totals(), below: new Totals() },
    ...{ FUNDING_FEE: new Totals(), LIQUIDATION_FEE: new Totals(), REALIZED_PL: new Totals() },
  };
  const trades = addTrades(scope, sums);
  const booked = addBooked(scope, sums);
  const orders = closedOrders(scope);
  const agreementOf = realizedPlAgreement(scope);
  const feeSign = provedFeeSign(scope.database);
  return [...new Set([...trades.keys(), ...booked])].sort().map((asset) => {
    const figures: Figures = {
      trades: trades.get(asset) ?? noTrades('known'),
      orders: orders.get(asset) ?? noClosedOrders(),
      sumOf: (name) => sums[name].of(asset),
    };
    return { asset, ...numbersOf(asset, figures, feeSign), agreement: agreementOf(asset) };
  });
}

function numbersOf(
  asset: string,
  figures: Figures,
  feeSign: FeeSign,
): Omit<AssetNumbers, 'asset' | 'agreement'> {
  const { trades, sumOf } = figures;
  const { won, lost } = figures.orders;
  const [funding, liquidationFees] = [sumOf('FUNDING_FEE'), sumOf('LIQUIDATION_FEE')];
  const closed = won.count + lost.count;
  const gross = added(won.amount, lost.amount);
  const fees =
    trades.assetBasis === 'unknown' ? null : paidFees(sumOf('above'), sumOf('below'), feeSign);
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
    largestWin: resultOf(won),
    largestLoss: resultOf(lost),
    profitFactor: ratio(won.amount, negative(lost.amount), closed),
    grossPl: textOf(gross),
    feesPaid: fees && textOf(fees.paid),
    feeRebates: fees && textOf(fees.rebates),
    feesAsSent: textOf(added(sumOf('above'), sumOf('below'))),
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
function paidFees(above: ExactAmount, below: ExactAmount, feeSign: FeeSign) {
  const isNone = signOf(above) === 0 && signOf(below) === 0;
  if (feeSign === null && !isNone) return null;
  const [paid, rebates] =
    feeSign === 'negative' ? [negative(below), negative(above)] : [above, below];
  return { paid, rebates, all: added(paid, rebates) };
}

/** Adds up fees by their asset; what else trades show is by the asset in which their P&L is realised. */
function addTrades(
  { database, period, symbols }: AnalysisScope,
  sums: SumsByName,
): ReadonlyMap<string, TradeCounts> {
  const trades = new Map<string, TradeCounts>();
  for (const { keys, isNegative, amount, count } of groupedSums(database, {
    ...({ history: 'trades', field: 'fee', interval: period, bySign: true } as const),
    keys: ['symbol', 'feeAsset', 'maker'],
  })) {
    const { symbol, feeAsset, maker } = keys;
    const { asset, assetBasis } = symbols.assetOf(symbol, 'marginAsset');
    const counts = trades.get(asset) ?? noTrades(assetBasis);
    trades.set(asset, counts);
    if (assetBasis !== 'known') counts.assetBasis = assetBasis;
    if (maker !== '') counts.fills += count;
    if (maker === '1') counts.makerFills += count;
    if (signOf(amount) === 0 || feeAsset === '') continue;
    // An exchange may write it in other letters than the asset of P&L.
    const paidIn = feeAsset.toLowerCase() === asset.toLowerCase() ? asset : feeAsset;
    counts.feeAssets.add(paidIn);
    sums[isNegative ? 'below' : 'above'].add(paidIn, amount);
  }
  return trades;
}

function noTrades(assetBasis: AssetBasis): TradeCounts {
  return { assetBasis, fills: 0, makerFills: 0, feeAssets: new Set() };
}

/** The assets of what is booked beside fees of trades, which may have no trade in the period. */
function addBooked({ database, period }: AnalysisScope, sums: SumsByName): readonly string[] {
  const names = ['FUNDING_FEE', 'LIQUIDATION_FEE', 'REALIZED_PL'] as const;
  for (const type of names) {
    const rows = { history: 'futureTransactions', field: 'amount', interval: period } as const;
    const types = { are: 'in', names: [type] } as const;
    for (const { keys, amount } of groupedSums(database, { ...rows, types, keys: ['asset'] }))
      sums[type].add(keys.asset, amount);
  }
  return names.flatMap((type) => sums[type].names);
}

type Order = { readonly symbol: string; readonly amount: ExactAmount };

/** The closed orders of one asset that won, or that lost. */
type OrderTotals = { count: number; amount: ExactAmount; largest: Order | null };
type ClosedOrders = { readonly won: OrderTotals; readonly lost: OrderTotals };

/**
 * The orders whose fills in the period realise a P&L other than 0, by the asset in which they do. Fills of one
 * order are added up first: one order that is filled in parts is one result. A fill without an order is one too.
 */
function closedOrders({
  database,
  period,
  symbols,
}: AnalysisScope): ReadonlyMap<string, ClosedOrders> {
  const byAsset = new Map<string, ClosedOrders>();
  for (const { keys, amount } of groupedSums(database, {
    ...({ history: 'trades', field: 'rpnl', interval: period, isNotZero: true } as const),
    ...({ keys: ['orderId', 'symbol'], apartWithout: 'orderId' } as const),
  })) {
    const { asset } = symbols.assetOf(keys.symbol, 'marginAsset');
    const orders = byAsset.get(asset) ?? noClosedOrders();
    byAsset.set(asset, orders);
    const sign = signOf(amount);
    if (sign === 0) continue;
    const totals = sign > 0 ? orders.won : orders.lost;
    totals.count += 1;
    totals.amount = added(totals.amount, amount);
    if (!totals.largest || signOf(less(amount, totals.largest.amount)) === sign)
      totals.largest = { symbol: keys.symbol, amount };
  }
  return byAsset;
}

function noClosedOrders(): ClosedOrders {
  const none = (): OrderTotals => ({ count: 0, amount: zeroAmount, largest: null });
  return { won: none(), lost: none() };
}

function resultOf({ largest }: OrderTotals): OrderResult | null {
  return largest && { ...largest, amount: textOf(largest.amount) };
}

/**
 * Whether the trades of a period realise what its `REALIZED_PL` transactions book, by asset, as the reconciliation
 * judges it.
 */
function realizedPlAgreement(scope: AnalysisScope): (asset: string) => Agreement {
  const { database, period } = scope;
  const learned = readingIn(database, 'realizedPl', period);
  const spans = coveredSpans(storedReader(database), ['trades', 'futureTransactions']);
  const compared = clip(spans, period);
  const { trades, transactions, isAssetKnown } = sumsIn(scope, compared);
  const isLearned = learned?.applicability === 'applies' && isAssetKnown;
  return (asset) => {
    const found = learned?.judgement.get(asset);
    const isExplained = learned?.explainedByOthers.has(asset) ?? false;
    const contradictions = found?.contradictions ?? [];
    const [ofTrades, ofTransactions] = [textOf(trades.of(asset)), textOf(transactions.of(asset))];
    const isEqual = contradictions.length === 0 && isSame(ofTrades, ofTransactions);
    const differences = isLearned && !isExplained ? contradictions : [];
    const verdict = differences.length > 0 ? 'differ' : isEqual ? 'agree' : 'undecided';
    return {
      verdict: compared.length === 0 ? 'notCovered' : verdict,
      compared,
      trades: ofTrades,
      transactions: ofTransactions,
      differences: differences.map(({ from, to, remainder }) => ({ from, to, amount: remainder })),
    };
  };
}

/** What both add up to where they are compared, and whether each trade has a known asset. */
function sumsIn({ database, symbols }: AnalysisScope, compared: readonly Interval[]) {
  const [trades, transactions] = [new Totals(), new Totals()];
  let isAssetKnown = true;
  const types = { are: 'in', names: ['REALIZED_PL'] } as const;
  for (const interval of compared) {
    const traded = { history: 'trades', field: 'rpnl', isNotZero: true, interval } as const;
    for (const { keys, amount } of groupedSums(database, { ...traded, keys: ['symbol'] })) {
      const { asset, assetBasis } = symbols.assetOf(keys.symbol, 'marginAsset');
      isAssetKnown &&= assetBasis !== 'unknown';
      trades.add(asset, amount);
    }
    const booked = { history: 'futureTransactions', field: 'amount', interval, types } as const;
    for (const { keys, amount } of groupedSums(database, { ...booked, keys: ['asset'] }))
      transactions.add(keys.asset, amount);
  }
  return { trades, transactions, isAssetKnown };
}
