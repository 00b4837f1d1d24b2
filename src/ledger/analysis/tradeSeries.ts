import type { FeeSign } from '../ledger.ts';
import type { AnalysisSeries, SeriesKind } from './analysis.ts';
import { seriesOf, type SeriesPart } from './analysisSeries.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { negative } from './exactAmount.ts';
import { groupedSums, type GroupedSum } from './groupedSums.ts';

/** What trades can be grouped by beside their symbol. */
type TradeKey = 'symbol' | 'side' | 'type' | 'feeAsset';

/** Realised P&L as trades have it. */
export function realizedPlSeries(scope: AnalysisScope): readonly AnalysisSeries[] {
  return seriesOf(realizedPlParts(scope), scope.calendar);
}

function* realizedPlParts(scope: AnalysisScope): Generator<SeriesPart> {
  const { database, period, calendar, splitBy, symbols } = scope;
  const split: TradeKey[] = splitBy === 'asset' || splitBy === 'symbol' ? [] : [splitBy];
  for (const sum of groupedSums(database, {
    history: 'trades',
    field: 'rpnl',
    interval: period,
    days: calendar.days,
    keys: ['symbol', ...split],
    isNotZero: true,
  }))
    yield {
      kind: 'realizedPl',
      ...symbols.assetOf(sum.keys.symbol, 'marginAsset'),
      ...partOf(scope, sum, { symbol: sum.keys.symbol }),
    };
}

/** Fees of trades, paid and rebates apart if their sign is known, and of liquidations. */
export function feeSeries(scope: AnalysisScope, feeSign: FeeSign): readonly AnalysisSeries[] {
  const parts = [...tradeFeeParts(scope, feeSign), ...liquidationFeeParts(scope)];
  return seriesOf(parts, scope.calendar);
}

function* tradeFeeParts(scope: AnalysisScope, feeSign: FeeSign): Generator<SeriesPart> {
  const { database, period, calendar, splitBy } = scope;
  const split: TradeKey[] = splitBy === 'asset' ? [] : [splitBy];
  for (const sum of groupedSums(database, {
    history: 'trades',
    field: 'fee',
    interval: period,
    days: calendar.days,
    keys: ['feeAsset', ...split],
    isNotZero: true,
    bySign: true,
  }))
    yield {
      ...partOf(scope, sum, { feeAsset: sum.keys.feeAsset }),
      kind: feeKind(sum, feeSign),
      asset: sum.keys.feeAsset,
      amount: feeSign === 'negative' ? negative(sum.amount) : sum.amount,
    };
}

function feeKind({ isNegative }: GroupedSum<TradeKey>, feeSign: FeeSign): SeriesKind {
  if (feeSign === null) return 'feeAsSent';
  return isNegative === (feeSign === 'negative') ? 'feePaid' : 'feeRebate';
}

/** No record says which symbol or side a liquidation fee is of. */
function* liquidationFeeParts({
  database,
  period,
  calendar,
}: AnalysisScope): Generator<SeriesPart> {
  const [history, type] = ['futureTransactions', 'LIQUIDATION_FEE'] as const;
  const query = {
    history,
    field: 'amount',
    interval: period,
    days: calendar.days,
    keys: ['asset'],
    types: { are: 'in', names: [type] },
  } as const;
  for (const { day, keys, amount, count } of groupedSums(database, query))
    yield {
      kind: 'liquidationFee',
      asset: keys.asset,
      key: null,
      day,
      amount,
      count,
      history,
      fields: { asset: keys.asset, type },
      isExact: true,
    };
}

function partOf(
  { splitBy }: AnalysisScope,
  { day, keys, amount, count }: GroupedSum<TradeKey>,
  fields: Readonly<Record<string, string>>,
): Omit<SeriesPart, 'kind' | 'asset'> {
  const key = splitBy === 'asset' ? null : keys[splitBy];
  const split = key === null ? {} : { [splitBy]: key };
  // Trades with nothing to add, or with the other sign, have the same fields.
  return {
    day,
    key,
    amount,
    count,
    history: 'trades',
    fields: { ...fields, ...split },
    isExact: false,
  };
}
