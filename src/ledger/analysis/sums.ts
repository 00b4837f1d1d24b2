import type { DatabaseSync } from 'node:sqlite';
import { added, isZero, negative, textOf, zeroAmount, type Amount } from '../../base/decimal.ts';
import { always, covers, type Interval } from '../../base/interval.ts';
import { completeIn, coverageParts } from '../coverage/coverageParts.ts';
import type { Checkpoint, FeeSign, LedgerHistory } from '../ledger.ts';
import { checkpointsWhere } from '../storage/checkpointStore.ts';
import { numberOf } from '../storage/sql.ts';
import { groupedSums, notZero, type SumQuery } from '../storage/sums.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';
import { timeParts } from '../storage/timeParts.ts';
import { WalkStore } from '../storage/walkStore.ts';
import type { AnalysisSeries, SeriesKind, SumsView } from './analysis.ts';
import { transactionsOf, type AnalysisScope } from './scope.ts';
import { provedFeeSign } from './feeSign.ts';

type Column = 'asset' | 'feeAsset' | 'symbol' | 'side' | 'type' | 'time';
type Keys = Readonly<Partial<Record<Column, string>>>;

/** Rows that a view adds up. */
type Source = Pick<SumQuery<Column>, 'history' | 'field' | 'where' | 'bySign'> & {
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
  const cash = ofTransactions(transactionsOf(scope.request), 'cashFlow');
  switch (view) {
    case 'realizedPl':
      return [{ ...ofTrades(scope, 'rpnl'), unit: 'symbol', kind: 'realizedPl' }];
    case 'fees':
      return feeSources(scope, provedFeeSign(scope.database));
    case 'funding':
      return [fundingSource(scope)];
    case 'cashFlow':
      return [{ ...cash, by: ['type'], where: isCashFlow, keyOf: splitKey(scope) }];
    case 'cash':
      return [cash];
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
function ofTrades(scope: AnalysisScope, field: 'rpnl' | 'fee') {
  const by = scope.splitBy === 'asset' ? [] : [scope.splitBy];
  const rows = { history: 'trades', field, where: notZero(field), isExact: false } as const;
  return { ...rows, by, keyOf: splitKey(scope) };
}

function ofTransactions(history: LedgerHistory, kind: SeriesKind): Source {
  return { history, kind, field: 'amount', unit: 'asset', by: [], isExact: true };
}

function ofType(type: string, kind: SeriesKind): Source {
  const where = `type = '${type}'`;
  return { ...ofTransactions('futureTransactions', kind), where, by: ['type'] };
}

function splitKey({ splitBy }: AnalysisScope): (keys: Keys) => string | null {
  return (keys) => (splitBy === 'asset' ? null : (keys[splitBy] ?? null));
}

type Growing = Pick<AnalysisSeries, 'kind' | 'asset' | 'key'> & {
  readonly history: LedgerHistory;
  readonly isExact: boolean;
  assetBasis: AssetBasis;
  /** Of each bucket; null without a row. */
  readonly amounts: (Amount | null)[];
  readonly counts: number[];
  /** The values that its rows have of each field. */
  readonly filters: Map<string, Set<string>>;
};

function addRows(
  { database, calendar: { buckets }, symbols }: AnalysisScope,
  { unit, by, kind: kindAbove, kindBelow = kindAbove, keyOf, isTurned, isExact, ...rows }: Source,
  all: Map<string, Growing>,
): void {
  const columns = [...new Set([unit, ...by])];
  const groups: Readonly<Record<string, string>> = Object.fromEntries(
    columns.map((column) => [column, column]),
  );
  const sums = buckets.flatMap((interval, bucket) =>
    [...sumsInParts(database, { ...rows, groups, interval })].map((sum) => ({ ...sum, bucket })),
  );
  for (const { keys, bucket, ...sum } of sums) {
    const named = keys[unit] ?? '';
    // A fee of an unknown asset counts as lacking.
    if (named === '') continue;
    const known = { asset: symbols.nameOf(named), assetBasis: 'known' } as const;
    const { asset, assetBasis } = unit === 'symbol' ? symbols.assetOf(named, 'marginAsset') : known;
    const kind = sum.isNegative ? kindBelow : kindAbove;
    const key = keyOf?.(keys) ?? null;
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
    series.amounts[bucket] = added(series.amounts[bucket] ?? zeroAmount, amount);
    series.counts[bucket] = (series.counts[bucket] ?? 0) + sum.count;
    for (const field of columns)
      if (field !== 'time')
        series.filters.set(field, (series.filters.get(field) ?? new Set()).add(keys[field] ?? ''));
  }
}

/** A group comes once for each part. */
export function* sumsInParts<Key extends string>(database: DatabaseSync, query: SumQuery<Key>) {
  for (const interval of timeParts(database, query.history, query.interval))
    yield* groupedSums(database, { ...query, interval });
}

function finished({ amounts, filters, isExact, history, ...series }: Growing): AnalysisSeries {
  const selected = [...filters].map(([field, set]) => [field, [...set].sort()] as const);
  const known = amounts.filter((amount) => amount !== null);
  return {
    ...series,
    total: textOf(known.reduce(added, zeroAmount)),
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

/** The symbol of the only position at a moment, as far as checkpoints and trades prove it; null if they do not. */
export function onlyOpenSymbol(database: DatabaseSync): (time: number) => string | null {
  const reads = new WalkStore(database).coverage('trades');
  const complete = completeIn(coverageParts('trades', reads, always));
  const known = new Map<number, string | null>();
  return (time) => {
    if (!known.has(time)) known.set(time, findSymbol(database, complete, time));
    return known.get(time) ?? null;
  };
}

/** The same position before and after, and no trade of another symbol between. */
function findSymbol(
  database: DatabaseSync,
  complete: readonly Interval[],
  time: number,
): string | null {
  const earlier = 'answeredAt < ? ORDER BY answeredAt DESC, rowid DESC LIMIT 1';
  const later = 'answeredAt > ? AND sentAt > ? ORDER BY answeredAt, rowid LIMIT 1';
  const [before] = checkpointsWhere(database, earlier, time);
  const [after] = checkpointsWhere(database, later, time, time);
  const symbol = onlySymbol(before);
  if (!before || !after || !symbol || symbol !== onlySymbol(after)) return null;
  const [from, to] = [before.sentAt, after.answeredAt + 1];
  if (!covers(complete, { from, to })) return null;
  const others =
    'SELECT EXISTS (SELECT 1 FROM trades WHERE time >= ? AND time < ? AND symbol <> ?)';
  return numberOf(database, others, from, to, symbol) === 0 ? symbol : null;
}

function onlySymbol(checkpoint: Checkpoint | undefined): string | null {
  const open =
    checkpoint?.positions?.filter(({ amount }) => amount === null || !isZero(amount)) ?? [];
  const symbols = new Set(open.map(({ symbol }) => symbol));
  return symbols.size === 1 ? (open[0]?.symbol ?? null) : null;
}
