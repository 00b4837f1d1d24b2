import { negated, sum, textOf, type NumberText } from '../../base/decimal.ts';
import { clip, contains, type Interval } from '../../base/interval.ts';
import { firstIndex } from '../../base/sorted.ts';
import {
  isDecided,
  type AnalysisSeries,
  type CalendarAsset,
  type SeriesKind,
  type SymbolFigures,
} from './analysis.ts';
import { unexplainedIn } from './numbers.ts';
import { liquidations } from './positions.ts';
import { liesIn, type BookPosition } from './positionBook.ts';
import type { LedgerHistory } from '../ledger.ts';
import { lacks, type AnalysisScope } from './scope.ts';
import { sumSeries } from './sums.ts';
import { TradeReader } from '../storage/tradeReader.ts';

const views = ['realizedPl', 'fees', 'funding'] as const;

/** What each symbol came to; a row without a symbol is of several, and one in another asset has its fees only. */
export function symbolFigures(scope: AnalysisScope): readonly SymbolFigures[] {
  const { database, period, symbols } = scope;
  const book = scope.book();
  const volumes = new Map<string, bigint>();
  for (const { symbol, time, amount, price } of new TradeReader(database).since(period.from)) {
    if (time >= period.to) break;
    if (amount !== null && price !== null)
      volumes.set(symbol, (volumes.get(symbol) ?? 0n) + amount * price);
  }
  const closed = Map.groupBy(closedIn(book.positions, period), ({ symbol }) => symbol);
  const undecided = Map.groupBy(
    book.positions.filter((each) => each.undecided !== null && liesIn(each, period)),
    ({ symbol }) => symbol,
  );
  const unexplained = unexplainedIn(scope);
  const isLiquidated = liquidations(scope);
  const isRead = (history: LedgerHistory): boolean =>
    scope.coverage.gaps.every((gap) => gap.history !== history) && isDated(scope, history);
  const partial = new Set(lackingRows(scope, 'trades').map((each) => each.symbol));
  const lacking = lackingRows(scope, 'futureTransactions');
  const areBooked = isRead('futureTransactions') && lacking.length === 0;
  const series = views.flatMap((view) => sumSeries({ ...scope, splitBy: 'symbol' }, view));
  const idOf = (symbol: string | null, asset: string): string => JSON.stringify([symbol, asset]);
  const rows = Map.groupBy(series, ({ key, asset }) => idOf(key, asset));
  const named = unexplained.flatMap(({ symbol }) => symbol ?? []);
  for (const symbol of [...volumes.keys(), ...closed.keys(), ...undecided.keys(), ...named]) {
    const id = idOf(symbol, symbols.assetOf(symbol, 'marginAsset').asset);
    if (!rows.has(id)) rows.set(id, []);
  }
  return [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, own]) => {
      const [symbol, asset] = JSON.parse(id) as [string | null, string];
      const margin = symbol === null ? null : symbols.assetOf(symbol, 'marginAsset');
      const total = (...kinds: readonly SeriesKind[]): NumberText =>
        sum(own.filter(({ kind }) => kinds.includes(kind)).map((each) => each.total));
      const isMargin = symbol !== null && margin?.asset === asset;
      const positions = (symbol === null ? undefined : closed.get(symbol)) ?? [];
      const unclear = (symbol === null ? undefined : undecided.get(symbol)) ?? [];
      const liquidated = [...positions.map(isLiquidated), ...unclear.map(() => null)];
      const isAssetKnown = !isMargin || margin.assetBasis !== 'unknown';
      const areTraded = isRead('trades') && !partial.has(symbol);
      const isKnown =
        areTraded &&
        unexplained.every((each) => symbol === null || (each.symbol ?? symbol) !== symbol);
      return {
        ...{ symbol, asset, assetBasis: isMargin ? margin.assetBasis : 'known' },
        gross: isKnown ? total('realizedPl') : null,
        fees: areTraded && isAssetKnown && isSignKnown(own) ? total('feePaid', 'feeRebate') : null,
        charges: areBooked ? total('funding', 'liquidationFee') : null,
        net:
          isKnown && areBooked && isAssetKnown
            ? netOf(own.map(({ kind, total: amount }) => ({ kind, amount })))
            : null,
        traded: isMargin
          ? {
              volume: areTraded
                ? textOf({ integer: volumes.get(symbol) ?? 0n, fraction: 2 * book.fraction })
                : null,
              positions: positions.length,
              undecided: unclear.length,
              wins:
                isKnown && positions.every(isResultKnown)
                  ? positions.filter(({ rpnl }) => (rpnl ?? 0n) > 0n).length
                  : null,
              liquidated: liquidated.includes(null) ? null : liquidated.filter(Boolean).length,
            }
          : null,
      };
    });
}

/** What each day brought, in each asset. */
export function calendarAssets(scope: AnalysisScope): readonly CalendarAsset[] {
  const { period, symbols } = scope;
  const { buckets } = scope.calendar;
  const assetOf = ({ symbol }: { readonly symbol: string }) =>
    symbols.assetOf(symbol, 'marginAsset');
  const closed = closedIn(scope.book().positions, period);
  const byDay = Map.groupBy(closed, (each) => {
    const { asset } = assetOf(each);
    return `${firstIndex(buckets, ({ to }) => to <= (each.closed ?? 0))} ${asset}`;
  });
  const unexplained = unexplainedIn(scope).map(({ symbol, ...within }) => {
    return { within, asset: symbol === null ? null : assetOf({ symbol }) };
  });
  const series = views.flatMap((view) => sumSeries({ ...scope, splitBy: 'asset' }, view));
  const traded = [...closed.map(assetOf), ...unexplained.flatMap(({ asset }) => asset ?? [])];
  const byAsset = Map.groupBy([...series, ...traded], ({ asset }) => asset);
  const lacking = [...lackingRows(scope, 'trades'), ...lackingRows(scope, 'futureTransactions')];
  const partial = new Set(lacking.map(({ time }) => firstIndex(buckets, ({ to }) => to <= time)));
  const areDated = isDated(scope, 'trades') && isDated(scope, 'futureTransactions');
  return [...byAsset].map(([asset, named]) => {
    const own = series.filter((each) => each.asset === asset);
    const doubts = unexplained.filter((each) => (each.asset?.asset ?? asset) === asset);
    const { assetBasis = 'known' } = named.find((each) => each.assetBasis !== 'known') ?? {};
    return {
      ...{ asset, assetBasis },
      days: buckets.map((bucket, index) => {
        const parts = own.flatMap(({ kind, values }) => {
          const amount = values[index] ?? null;
          return amount === null ? [] : [{ kind, amount }];
        });
        const isExplained = doubts.every(({ within }) => clip([within], bucket).length === 0);
        const isKnown = areDated && !partial.has(index) && isExplained && assetBasis !== 'unknown';
        const closedCount = byDay.get(`${index} ${asset}`)?.length ?? 0;
        const added = own.filter(({ counts }) => (counts[index] ?? 0) > 0);
        const isOnlyBooked =
          added.length > 0 && added.every(({ selection }) => selection.history !== 'trades');
        return {
          ...{ ...bucket, net: isKnown ? netOf(parts) : null, closed: closedCount },
          history: isOnlyBooked ? 'futureTransactions' : 'trades',
        };
      }),
    };
  });
}

/** Whether each row has its time: one without may be of any. */
function isDated({ coverage }: AnalysisScope, history: LedgerHistory): boolean {
  return coverage.byHistory.every((each) => each.history !== history || each.undatedRows === 0);
}

type Lacking = { readonly time: number; readonly symbol: string | null };

/** The rows that lack one of these figures: a sum of theirs is not known. */
function lackingRows(
  { database, period, request }: AnalysisScope,
  history: 'trades' | 'futureTransactions',
): readonly Lacking[] {
  const symbol = history === 'trades' ? 'symbol' : 'NULL AS symbol';
  const isLacking = lacks(history, request.view);
  return database
    .prepare(
      `SELECT time, ${symbol} FROM ${history} WHERE unlistedSince IS NULL AND ${isLacking} AND time >= ? AND time < ?`,
    )
    .all(period.from, period.to) as Lacking[];
}

function closedIn(positions: readonly BookPosition[], period: Interval): readonly BookPosition[] {
  return positions.filter((each) => isDecided(each) && contains(period, each.closed ?? 0));
}

/** That of a liquidation without a trade is not known: sums of trades lack it. */
function isResultKnown({ rpnl }: BookPosition): boolean {
  return rpnl !== null;
}

function isSignKnown(parts: readonly Pick<AnalysisSeries, 'kind'>[]): boolean {
  return parts.every(({ kind }) => kind !== 'feeAsSent');
}

/** Null while the sign of fees is not known. */
function netOf(
  parts: readonly { readonly kind: SeriesKind; readonly amount: NumberText }[],
): NumberText | null {
  if (!isSignKnown(parts)) return null;
  const isPaid = (kind: SeriesKind): boolean => kind === 'feePaid' || kind === 'feeRebate';
  return sum(parts.map(({ kind, amount }) => (isPaid(kind) ? negated(amount) : amount)));
}
