import type { FeeSign, LedgerHistory } from '../ledger.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';
import type { AnalysisSeries, SeriesKind, SumsView } from './analysis.ts';
import { transactionsOf, type AnalysisScope } from './analysisScope.ts';
import { added, negative, textOf, zeroAmount, type ExactAmount } from './exactAmount.ts';
import { provedFeeSign } from './feeSign.ts';
import { groupedSums, type GroupedQuery } from './groupedSums.ts';
import { onlyOpenSymbol } from './openPositions.ts';

type Column = 'asset' | 'feeAsset' | 'symbol' | 'side' | 'type' | 'time';
type Keys = Readonly<Partial<Record<Column, string>>>;

/** Rows that a view adds up. */
type Source = Pick<GroupedQuery<Column>, 'history' | 'field' | 'where' | 'bySign' | 'isNotZero'> & {
  /** The column that names the asset; `symbol`: the asset in which its P&L is realised. */
  readonly unit: 'asset' | 'feeAsset' | 'symbol';
  /** Other columns that they are grouped by. */
  readonly by: readonly Column[];
  readonly kind: SeriesKind;
  /** Of rows below 0, if they are apart. */
  readonly kindBelow?: SeriesKind;
  /** What the series is of; it is not split without. */
  readonly keyOf?: (keys: Keys) => string | null;
  readonly isTurned?: boolean;
  /** Whether all rows with the same fields are added. */
  readonly isExact: boolean;
};

/** What trading brings or costs. Everything else is cash flow: also a type that the API does not name. */
const isCashFlow = `type NOT IN ('FEE', 'FUNDING_FEE', 'REALIZED_PL', 'LIQUIDATION_FEE')`;

/** The sums of a view, a series for each asset, key and kind; those of cash are of all its transactions. */
export function sumSeries(
  scope: AnalysisScope,
  view: SumsView | 'cash',
): readonly AnalysisSeries[] {
  const series = new Map<string, Growing>();
  for (const source of sourcesOf(scope, view)) addRows(scope, source, series);
  return [...series.values()].map(finished).sort(byAssetKeyAndKind);
}

function sourcesOf(scope: AnalysisScope, view: SumsView | 'cash'): readonly Source[] {
  switch (view) {
    case 'realizedPl':
      return [{ ...ofTrades(scope, 'rpnl'), unit: 'symbol', kind: 'realizedPl' }];
    case 'fees':
      return feeSources(scope, provedFeeSign(scope.database));
    case 'funding':
      return [fundingSource(scope)];
    case 'cashFlow':
      return [
        {
          ...ofTransactions(transactionsOf(scope.request), 'cashFlow'),
          by: ['type'],
          where: isCashFlow,
          keyOf: ({ type = null }) => (scope.splitBy === 'type' ? type : null),
        },
      ];
    case 'cash':
      return [ofTransactions(transactionsOf(scope.request), 'cashFlow')];
  }
}

/** Fees of trades, paid and rebates apart if their sign is known, and of liquidations. */
function feeSources(scope: AnalysisScope, feeSign: FeeSign): readonly Source[] {
  const isTurned = feeSign === 'negative';
  const [kind, kindBelow] = isTurned
    ? (['feeRebate', 'feePaid'] as const)
    : (['feePaid', 'feeRebate'] as const);
  const kinds = feeSign === null ? ({ kind: 'feeAsSent' } as const) : { kind, kindBelow };
  return [
    { ...ofTrades(scope, 'fee'), unit: 'feeAsset', bySign: true, isTurned, ...kinds },
    ofType('LIQUIDATION_FEE', 'liquidationFee'),
  ];
}

/** No record says which position funding is of: split by symbol, it is that of the only position that was open. */
function fundingSource({ database, splitBy }: AnalysisScope): Source {
  const source = ofType('FUNDING_FEE', 'funding');
  if (splitBy !== 'symbol') return source;
  const symbolAt = onlyOpenSymbol(database);
  return {
    ...source,
    by: [...source.by, 'time'],
    keyOf: ({ time }) => symbolAt(Number(time)),
    isExact: false,
  };
}

/** Trades with nothing to add, or with the other sign, have the same fields. */
function ofTrades({ splitBy }: AnalysisScope, field: 'rpnl' | 'fee') {
  return {
    ...({ history: 'trades', field, isNotZero: true, isExact: false } as const),
    by: splitBy === 'asset' ? [] : [splitBy],
    keyOf: (keys: Keys) => (splitBy === 'asset' ? null : (keys[splitBy] ?? null)),
  };
}

function ofTransactions(history: LedgerHistory, kind: SeriesKind): Source {
  return { history, kind, field: 'amount', unit: 'asset', by: [], isExact: true };
}

function ofType(type: string, kind: SeriesKind): Source {
  const where = `type = '${type}'`;
  return { ...ofTransactions('futureTransactions', kind), where, by: ['type'] };
}

type Growing = Pick<AnalysisSeries, 'kind' | 'asset' | 'key'> & {
  readonly history: LedgerHistory;
  readonly isExact: boolean;
  assetBasis: AssetBasis;
  /** Of each bucket; null without a row. */
  readonly amounts: (ExactAmount | null)[];
  readonly counts: number[];
  /** The values that its rows have of each field. */
  readonly filters: Map<string, Set<string>>;
};

function addRows(
  { database, period, calendar: { days, buckets, bucketOfDay }, symbols }: AnalysisScope,
  { unit, by, kind: kindAbove, kindBelow = kindAbove, keyOf, isTurned, isExact, ...rows }: Source,
  all: Map<string, Growing>,
): void {
  const keys = [...new Set([unit, ...by])];
  const query = { ...rows, interval: period, days, keys };
  for (const sum of groupedSums(database, query)) {
    const { time: _time, ...fields } = sum.keys;
    const own = sum.keys[unit];
    // A fee of an unknown asset counts as lacking.
    if (own === '') continue;
    const known = { asset: own, assetBasis: 'known' } as const;
    const { asset, assetBasis } = unit === 'symbol' ? symbols.assetOf(own, 'marginAsset') : known;
    const kind = sum.isNegative ? kindBelow : kindAbove;
    const key = keyOf?.(sum.keys) ?? null;
    const id = JSON.stringify([kind, asset, key, assetBasis === 'unknown']);
    const series: Growing = all.get(id) ?? {
      ...{ kind, asset, key, assetBasis, history: rows.history, isExact },
      amounts: buckets.map(() => null),
      counts: buckets.map(() => 0),
      filters: new Map(),
    };
    all.set(id, series);
    if (assetBasis !== 'known') series.assetBasis = assetBasis;
    const amount = isTurned ? negative(sum.amount) : sum.amount;
    const bucket = bucketOfDay[sum.day] ?? 0;
    series.amounts[bucket] = added(series.amounts[bucket] ?? zeroAmount, amount);
    series.counts[bucket] = (series.counts[bucket] ?? 0) + sum.count;
    for (const [field, value] of Object.entries(fields))
      series.filters.set(field, (series.filters.get(field) ?? new Set()).add(value));
  }
}

function finished({ amounts, filters, isExact, history, ...series }: Growing): AnalysisSeries {
  const selected = [...filters].map(([field, set]) => [field, [...set].sort()] as const);
  return {
    ...series,
    total: textOf(
      amounts.reduce<ExactAmount>((sum, each) => added(sum, each ?? zeroAmount), zeroAmount),
    ),
    rows: series.counts.reduce((sum, count) => sum + count, 0),
    values: amounts.map((amount) => amount && textOf(amount)),
    selection: { history, filters: Object.fromEntries(selected), isExact },
  };
}

/** What is not split comes last. */
function byAssetKeyAndKind(one: AnalysisSeries, other: AnalysisSeries): number {
  if (one.asset !== other.asset) return one.asset < other.asset ? -1 : 1;
  if (one.key === other.key) return one.kind < other.kind ? -1 : 1;
  if (one.key === null || other.key === null) return one.key === null ? 1 : -1;
  return one.key < other.key ? -1 : 1;
}
