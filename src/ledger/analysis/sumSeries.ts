import type { NumberText } from '../../base/decimal.ts';
import { ledgerHistories, type FeeSign, type LedgerHistory } from '../ledger.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';
import type { AnalysisRequest, AnalysisSeries, SeriesKind, SumsView } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { added, negative, textOf, zeroAmount, type ExactAmount } from './exactAmount.ts';
import { provedFeeSign } from './feeSign.ts';
import { groupedSums, type GroupedQuery, type GroupedSum } from './groupedSums.ts';
import { OpenPositions } from './openPositions.ts';

type Column = 'asset' | 'feeAsset' | 'symbol' | 'side' | 'type' | 'time';
type Sum = Pick<GroupedSum<Column>, 'isNegative'> & {
  readonly keys: Readonly<Partial<Record<Column, string>>>;
};

/** Rows that a view adds up. */
type Source = Pick<GroupedQuery<Column>, 'history' | 'field' | 'types' | 'bySign' | 'isNotZero'> & {
  /** The column that names the asset; `symbol`: the asset in which its P&L is realised. */
  readonly unit: 'asset' | 'feeAsset' | 'symbol';
  /** Other columns that they are grouped by. */
  readonly by: readonly Column[];
  readonly kindOf: (sum: Sum) => SeriesKind;
  /** What the series is of; null if it is not split. */
  readonly keyOf: (sum: Sum) => string | null;
  readonly isTurned?: boolean;
  /** Whether all rows with the same fields are added. */
  readonly isExact: boolean;
};

/** What trading brings or costs. Everything else is cash flow: also a type that the API does not name. */
const tradingTypes = ['FEE', 'FUNDING_FEE', 'REALIZED_PL', 'LIQUIDATION_FEE'];

/** The transactions of the account that the request names. */
export function transactionsOf({ account }: AnalysisRequest): LedgerHistory {
  return account === ledgerHistories.spotTransactions.filters.accountType
    ? 'spotTransactions'
    : 'futureTransactions';
}

/** The sums of a view, a series for each asset, key and kind; those of cash are of all its transactions. */
export function sumSeries(
  scope: AnalysisScope,
  view: SumsView | 'cash',
): readonly AnalysisSeries[] {
  const series = new Map<string, Growing>();
  for (const source of sourcesOf(scope, view)) addRows(scope, source, series);
  const { length } = scope.calendar.buckets;
  return [...series.values()].map((each) => finished(each, length)).sort(byAssetKeyAndKind);
}

function sourcesOf(scope: AnalysisScope, view: SumsView | 'cash'): readonly Source[] {
  switch (view) {
    case 'realizedPl':
      return [{ ...ofTrades(scope, 'rpnl'), unit: 'symbol', kindOf: () => 'realizedPl' }];
    case 'fees':
      return feeSources(scope, provedFeeSign(scope.database));
    case 'funding':
      return [fundingSource(scope)];
    case 'cashFlow':
      return [
        {
          ...ofTransactions(transactionsOf(scope.request), 'cashFlow'),
          by: ['type'],
          types: { are: 'not in', names: tradingTypes },
          keyOf: ({ keys }) => (scope.splitBy === 'type' ? (keys.type ?? null) : null),
        },
      ];
    case 'cash':
      return [ofTransactions(transactionsOf(scope.request), 'cashFlow')];
  }
}

/** Fees of trades, paid and rebates apart if their sign is known, and of liquidations. */
function feeSources(scope: AnalysisScope, feeSign: FeeSign): readonly Source[] {
  return [
    {
      ...ofTrades(scope, 'fee'),
      unit: 'feeAsset',
      bySign: true,
      isTurned: feeSign === 'negative',
      kindOf: ({ isNegative }) => {
        if (feeSign === null) return 'feeAsSent';
        return isNegative === (feeSign === 'negative') ? 'feePaid' : 'feeRebate';
      },
    },
    ofType('LIQUIDATION_FEE', 'liquidationFee'),
  ];
}

/** No record says which position funding is of: split by symbol, it is that of the only position that was open. */
function fundingSource({ database, splitBy }: AnalysisScope): Source {
  const source = ofType('FUNDING_FEE', 'funding');
  if (splitBy !== 'symbol') return source;
  const positions = new OpenPositions(database);
  return {
    ...source,
    by: [...source.by, 'time'],
    keyOf: ({ keys }) => positions.onlySymbolAt(Number(keys.time)),
    isExact: false,
  };
}

/** Trades with nothing to add, or with the other sign, have the same fields. */
function ofTrades({ splitBy }: AnalysisScope, field: 'rpnl' | 'fee') {
  return {
    ...({ history: 'trades', field, isNotZero: true, isExact: false } as const),
    by: splitBy === 'asset' ? [] : [splitBy],
    keyOf: ({ keys }: Sum) => (splitBy === 'asset' ? null : (keys[splitBy] ?? null)),
  };
}

function ofTransactions(history: LedgerHistory, kind: SeriesKind): Source {
  return {
    ...({ history, field: 'amount', unit: 'asset', by: [], isExact: true } as const),
    kindOf: () => kind,
    keyOf: () => null,
  };
}

function ofType(type: string, kind: SeriesKind): Source {
  const types = { are: 'in', names: [type] } as const;
  return { ...ofTransactions('futureTransactions', kind), types, by: ['type'] };
}

type Bucket = { readonly amount: ExactAmount; readonly count: number };
type Growing = Pick<AnalysisSeries, 'kind' | 'asset' | 'key'> & {
  readonly history: LedgerHistory;
  readonly isExact: boolean;
  assetBasis: AssetBasis;
  readonly buckets: Map<number, Bucket>;
  /** The values that its rows have of each field. */
  readonly filters: Map<string, Set<string>>;
};

function addRows(
  { database, period, calendar, symbols }: AnalysisScope,
  { unit, by, kindOf, keyOf, isTurned, isExact, ...rows }: Source,
  all: Map<string, Growing>,
): void {
  const keys = [...new Set([unit, ...by])];
  const query = { ...rows, interval: period, days: calendar.days, keys };
  for (const sum of groupedSums(database, query)) {
    const { time: _time, ...fields } = sum.keys;
    const own = sum.keys[unit];
    // A fee of an unknown asset counts as lacking.
    if (own === '') continue;
    const known = { asset: own, assetBasis: 'known' } as const;
    const { asset, assetBasis } = unit === 'symbol' ? symbols.assetOf(own, 'marginAsset') : known;
    const [kind, key] = [kindOf(sum), keyOf(sum)];
    const id = JSON.stringify([kind, asset, key, assetBasis === 'unknown']);
    const series: Growing = all.get(id) ?? {
      ...{ kind, asset, key, assetBasis, history: rows.history, isExact },
      ...{ buckets: new Map(), filters: new Map() },
    };
    all.set(id, series);
    if (assetBasis !== 'known') series.assetBasis = assetBasis;
    const amount = isTurned ? negative(sum.amount) : sum.amount;
    addTo(series, calendar.bucketOfDay[sum.day] ?? 0, { amount, count: sum.count }, fields);
  }
}

function addTo(
  { buckets, filters }: Growing,
  bucket: number,
  { amount, count }: Bucket,
  fields: Readonly<Partial<Record<Column, string>>>,
): void {
  const before = buckets.get(bucket) ?? { amount: zeroAmount, count: 0 };
  buckets.set(bucket, { amount: added(before.amount, amount), count: before.count + count });
  for (const [field, value] of Object.entries(fields))
    filters.set(field, (filters.get(field) ?? new Set()).add(value));
}

function finished(
  { buckets, filters, isExact, history, ...named }: Growing,
  length: number,
): AnalysisSeries {
  let [all, rows] = [zeroAmount, 0];
  const values = Array.from<NumberText | null>({ length }).fill(null);
  const counts = Array.from<number>({ length }).fill(0);
  for (const [index, { amount, count }] of buckets) {
    all = added(all, amount);
    rows += count;
    values[index] = textOf(amount);
    counts[index] = count;
  }
  const selected = [...filters].map(([field, set]) => [field, [...set].sort()] as const);
  const selection = { history, filters: Object.fromEntries(selected), isExact };
  return { ...named, total: textOf(all), rows, values, counts, selection };
}

const kinds: readonly SeriesKind[] = [
  ...(['realizedPl', 'feePaid', 'feeRebate', 'feeAsSent', 'liquidationFee'] as const),
  ...(['funding', 'cashFlow'] as const),
];

/** What is not split comes last. */
function byAssetKeyAndKind(one: AnalysisSeries, other: AnalysisSeries): number {
  if (one.asset !== other.asset) return one.asset < other.asset ? -1 : 1;
  if (one.key === other.key) return kinds.indexOf(one.kind) - kinds.indexOf(other.kind);
  if (one.key === null || other.key === null) return one.key === null ? 1 : -1;
  return one.key < other.key ? -1 : 1;
}
