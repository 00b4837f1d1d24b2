import {
  added,
  amountOf,
  isSame,
  less,
  negative,
  quotient,
  signOf,
  textOf,
  zeroAmount,
  type Amount,
} from '../../base/decimal.ts';
import { clip, type Interval } from '../../base/interval.ts';
import {
  isDecided,
  rebuildsPositions,
  type Agreement,
  type AssetNumbers,
  type OrderResult,
  type PositionNumbers,
  type ResultNumbers,
  type Statistic,
} from './analysis.ts';
import { hintsOf, type ReadBook } from './bookReader.ts';
import { liesIn, type BookPosition } from './positionBook.ts';
import type { FeeSign } from '../ledger.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';
import { groupedSums, notZero, sumsByAsset, Totals } from '../storage/sums.ts';
import type { AnalysisScope } from './scope.ts';
import { provedFeeSign } from './feeSign.ts';
import { coveredSpans } from '../reconciliation/reconciliationReader.ts';
import { storedReader } from '../reconciliation/storedReader.ts';
import { readingIn } from './newestReading.ts';

/** What all trades in which P&L is realised in an asset show. */
type Traded = {
  assetBasis: AssetBasis;
  fills: number;
  makerFills: number;
  readonly feeAssets: Set<string>;
  /** Its closed orders. */
  readonly won: OrderTotals;
  readonly lost: OrderTotals;
};

type OrderTotals = { count: number; amount: Amount; largest: Order | null };
type Order = { readonly symbol: string; readonly amount: Amount };

/** By asset: fees above and below 0 as trades have them, and what transactions add up to. */
type Sums = Readonly<Record<'above' | 'below' | 'funding' | 'liquidationFees', Totals>>;

/** The numbers of each asset in which P&L is realised. */
export function assetNumbers(scope: AnalysisScope): readonly AssetNumbers[] {
  const { database, period, symbols } = scope;
  const booked = (type: string): Totals =>
    sumsByAsset(database, 'futureTransactions', [period], type);
  const sums: Sums = {
    above: new Totals(),
    below: new Totals(),
    funding: booked('FUNDING_FEE'),
    liquidationFees: booked('LIQUIDATION_FEE'),
  };
  const traded = new Map<string, Traded>();
  addTrades(scope, traded, sums);
  addClosedOrders(scope, traded);
  const agreementOf = realizedPlAgreement(scope);
  const ofPositions = scope.request.positions ? numbersPerPosition(scope) : [];
  const feeSign = provedFeeSign(database);
  // What is booked may have no trade in the period.
  const others = [sums.funding, sums.liquidationFees, booked('REALIZED_PL')];
  const unexplained = unexplainedIn(scope).map(({ symbol }) =>
    symbol === null ? null : symbols.assetOf(symbol, 'marginAsset'),
  );
  for (const each of unexplained)
    if (each) noteBasis(tradesIn(traded, each.asset), each.assetBasis);
  const isExplained = (asset: string): boolean =>
    unexplained.every((each) => each !== null && each.asset !== asset);
  const assets = [...traded.keys(), ...others.flatMap(({ names }) => names)];
  return [...new Set(assets)].sort().map((asset) => {
    const numbers = numbersOf(asset, traded.get(asset) ?? noTrades(), sums, feeSign);
    return {
      ...(isExplained(asset) ? numbers : withoutGross(numbers)),
      perPosition: ofPositions.find((each) => each.asset === asset) ?? null,
      agreement: agreementOf(asset),
    };
  });
}

type OwnNumbers = Omit<AssetNumbers, 'agreement' | 'perPosition'>;

function withoutGross(numbers: OwnNumbers): OwnNumbers {
  const feeShare = { ...numbers.feeShare, value: null };
  return { ...numbers, grossPl: null, netPl: null, feeShare };
}

/** Part of a period for which the trades of a symbol, or of some if it is null, do not say all that was realised. */
type Unexplained = Interval & { readonly symbol: string | null };

/** A liquidation has no trade, or, if positions are rebuilt, a checkpoint has another size. */
export function unexplainedIn({
  database,
  period,
  request,
  book,
}: AnalysisScope): readonly Unexplained[] {
  const books = rebuildsPositions(request) ? [...book().books.values()] : [];
  return [
    ...hintsOf(database, period).map(({ symbol, at }) => ({ symbol, from: at, to: at + 1 })),
    ...books.flatMap(({ symbol, differences }) =>
      clip(differences, period).map((each) => ({ symbol, ...each })),
    ),
  ];
}

function numbersPerPosition({ book, period, symbols }: AnalysisScope): readonly PositionNumbers[] {
  const read = book();
  return positionNumbers(
    read.positions.filter((each) => liesIn(each, period)),
    read,
    symbols,
  );
}

/** Of those that are closed and decided, by asset; nothing is certain about their results if one is not known. */
export function positionNumbers(
  positions: readonly BookPosition[],
  { fraction }: Pick<ReadBook, 'fraction'>,
  symbols: AnalysisScope['symbols'],
): readonly PositionNumbers[] {
  const byAsset = Map.groupBy(
    positions.filter((each) => isDecided(each) || each.undecided !== null),
    ({ symbol }) => symbols.assetOf(symbol, 'marginAsset').asset,
  );
  return [...byAsset]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([asset, own]) => {
      const closed = own.filter(isDecided);
      const totals = (sign: 1n | -1n): Pick<OrderTotals, 'count' | 'amount'> => {
        const results = closed.flatMap(({ rpnl }) =>
          rpnl !== null && rpnl * sign > 0n ? rpnl : [],
        );
        const integer = results.reduce((total, each) => total + each, 0n);
        return { count: results.length, amount: { integer, fraction } };
      };
      const [won, lost] = [totals(1n), totals(-1n)];
      const heldMs = closed.reduce((total, each) => total + (each.closed ?? 0) - each.opened, 0);
      const results = resultNumbers(won, lost, closed.length);
      const areKnown = closed.every(({ rpnl }) => rpnl !== null);
      return {
        ...{ asset, positions: closed.length, undecided: own.length - closed.length },
        grossPl: areKnown ? textOf(added(won.amount, lost.amount)) : null,
        ...(areKnown ? results : withoutRatios(results)),
        averageHeldMs: closed.length === 0 ? null : Math.round(heldMs / closed.length),
      };
    });
}

function withoutRatios(results: ResultNumbers): ResultNumbers {
  const none = (each: Statistic): Statistic => ({ ...each, value: null });
  return {
    ...results,
    winRate: none(results.winRate),
    averageWin: none(results.averageWin),
    averageLoss: none(results.averageLoss),
    profitFactor: none(results.profitFactor),
  };
}

/** What those of `count` results that won and that lost say. */
function resultNumbers(
  won: Pick<OrderTotals, 'count' | 'amount'>,
  lost: Pick<OrderTotals, 'count' | 'amount'>,
  count: number,
): ResultNumbers {
  return {
    ...{ wins: won.count, losses: lost.count },
    winRate: ratio(amountOfCount(won.count), amountOfCount(count), count),
    averageWin: ratio(won.amount, amountOfCount(won.count), won.count),
    averageLoss: ratio(lost.amount, amountOfCount(lost.count), lost.count),
    profitFactor: ratio(won.amount, negative(lost.amount), count),
  };
}

function amountOfCount(count: number): Amount {
  return amountOf(String(count));
}

function numbersOf(asset: string, trades: Traded, sums: Sums, feeSign: FeeSign): OwnNumbers {
  const { won, lost } = trades;
  const [above, below] = [sums.above.of(asset), sums.below.of(asset)];
  const [funding, liquidationFees] = [sums.funding.of(asset), sums.liquidationFees.of(asset)];
  const closed = won.count + lost.count;
  const gross = added(won.amount, lost.amount);
  const fees = trades.assetBasis === 'unknown' ? null : paidFees(above, below, feeSign);
  const net = fees && added(less(gross, fees.all), added(liquidationFees, funding));
  return {
    asset,
    assetBasis: trades.assetBasis,
    closedOrders: closed,
    ...resultNumbers(won, lost, closed),
    largestWin: resultOf(won),
    largestLoss: resultOf(lost),
    grossPl: textOf(gross),
    feesPaid: fees && textOf(fees.paid),
    feeRebates: fees && textOf(fees.rebates),
    feesAsSent: textOf(added(above, below)),
    liquidationFees: textOf(liquidationFees),
    funding: textOf(funding),
    netPl: net && textOf(net),
    otherFeeAssets: [...trades.feeAssets].filter((each) => each !== asset).sort(),
    feeShare: fees ? ratio(fees.all, gross, closed) : { value: null, sample: closed },
    makerShare: ratio(amountOfCount(trades.makerFills), amountOfCount(trades.fills), trades.fills),
  };
}

/** Rounded to 20 decimals. */
function ratio(dividend: Amount, divisor: Amount, sample: number): Statistic {
  const value = signOf(divisor) > 0 ? quotient(textOf(dividend), textOf(divisor)) : null;
  return { value, sample };
}

/** What was paid and what came back, below 0; null if that depends on a sign that is not known. */
function paidFees(above: Amount, below: Amount, feeSign: FeeSign) {
  const isNone = signOf(above) === 0 && signOf(below) === 0;
  if (feeSign === null && !isNone) return null;
  const [paid, rebates] =
    feeSign === 'negative' ? [negative(below), negative(above)] : [above, below];
  return { paid, rebates, all: added(paid, rebates) };
}

/** Adds up fees by their asset; what else trades show is by the asset in which their P&L is realised. */
function addTrades(
  { database, period, symbols }: AnalysisScope,
  traded: Map<string, Traded>,
  sums: Sums,
): void {
  for (const { keys, isNegative, amount, count } of groupedSums(database, {
    ...({ history: 'trades', field: 'fee', interval: period, bySign: true } as const),
    groups: { symbol: 'symbol', feeAsset: 'feeAsset', maker: 'maker' },
  })) {
    const { symbol, feeAsset, maker } = keys;
    const { asset, assetBasis } = symbols.assetOf(symbol, 'marginAsset');
    const trades = tradesIn(traded, asset);
    noteBasis(trades, assetBasis);
    if (maker !== '') trades.fills += count;
    if (maker === '1') trades.makerFills += count;
    if (signOf(amount) === 0 || feeAsset === '') continue;
    const paidIn = symbols.nameOf(feeAsset);
    trades.feeAssets.add(paidIn);
    sums[isNegative ? 'below' : 'above'].add(paidIn, amount);
  }
}

/** Trades that realise a P&L. */
const closingTrades = { history: 'trades', field: 'rpnl', where: notZero('rpnl') } as const;

/**
 * The orders whose fills in the period realise a P&L other than 0. Fills of one order are added up first: one order
 * that is filled in parts is one result. A fill without an order is one too.
 */
function addClosedOrders(
  { database, period, symbols }: AnalysisScope,
  traded: Map<string, Traded>,
): void {
  for (const { keys, amount } of groupedSums(database, {
    ...closingTrades,
    interval: period,
    groups: { symbol: 'symbol', ownOrder: `ifnull(orderId, 'row ' || row)` },
  })) {
    const { symbol } = keys;
    const sign = signOf(amount);
    if (sign === 0) continue;
    const { won, lost } = tradesIn(traded, symbols.assetOf(symbol, 'marginAsset').asset);
    const totals = sign > 0 ? won : lost;
    totals.count += 1;
    totals.amount = added(totals.amount, amount);
    if (!totals.largest || signOf(less(amount, totals.largest.amount)) === sign)
      totals.largest = { symbol, amount };
  }
}

function tradesIn(traded: Map<string, Traded>, asset: string): Traded {
  const trades = traded.get(asset) ?? noTrades();
  traded.set(asset, trades);
  return trades;
}

/** What is not known of one symbol is not known of all of its asset. */
function noteBasis(trades: Traded, assetBasis: AssetBasis): void {
  if (assetBasis !== 'known') trades.assetBasis = assetBasis;
}

function noTrades(): Traded {
  const none = (): OrderTotals => ({ count: 0, amount: zeroAmount, largest: null });
  const counts = { assetBasis: 'known', fills: 0, makerFills: 0 } as const;
  return { ...counts, feeAssets: new Set(), won: none(), lost: none() };
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
  const { trades, isAssetKnown } = tradedIn(scope, compared);
  const transactions = sumsByAsset(database, 'futureTransactions', compared, 'REALIZED_PL');
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

/** What trades add up to, and whether each has a known asset. */
function tradedIn({ database, symbols }: AnalysisScope, compared: readonly Interval[]) {
  const trades = new Totals();
  let isAssetKnown = true;
  const rows = { ...closingTrades, groups: { symbol: 'symbol' } };
  for (const interval of compared)
    for (const { keys, amount } of groupedSums(database, { ...rows, interval })) {
      const { asset, assetBasis } = symbols.assetOf(keys.symbol, 'marginAsset');
      isAssetKnown &&= assetBasis !== 'unknown';
      trades.add(asset, amount);
    }
  return { trades, isAssetKnown };
}
