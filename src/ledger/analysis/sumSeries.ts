import { ledgerHistories, type FeeSign, type LedgerHistory } from '../ledger.ts';
import type { AnalysisRequest, AnalysisSeries, SeriesKind, SumsView } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { seriesOf, type SeriesPart } from './analysisSeries.ts';
import { negative } from './exactAmount.ts';
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

/** The sums of a view; those of cash are of all its transactions. */
export function sumSeries(
  scope: AnalysisScope,
  view: SumsView | 'cash',
): readonly AnalysisSeries[] {
  return seriesOf(
    sourcesOf(scope, view).flatMap((source) => [...partsOf(scope, source)]),
    scope.calendar,
  );
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

function* partsOf(
  { database, period, calendar, symbols, splitBy }: AnalysisScope,
  { unit, by, kindOf, keyOf, isTurned, isExact, ...rows }: Source,
): Generator<SeriesPart> {
  // The asset of a symbol does not depend on how its P&L is split.
  const keys = unit === 'symbol' && splitBy === 'symbol' ? [unit] : [unit, ...by];
  const query = { ...rows, interval: period, days: calendar.days, keys };
  for (const sum of groupedSums(database, query)) {
    const { time: _time, ...fields } = sum.keys;
    const own = sum.keys[unit];
    const { day, amount, count } = sum;
    yield {
      ...(unit === 'symbol' ? symbols.assetOf(own, 'marginAsset') : { asset: own }),
      ...{ kind: kindOf(sum), key: keyOf(sum), history: rows.history, day, count, fields, isExact },
      amount: isTurned ? negative(amount) : amount,
    };
  }
}
