import { negated, sum, textOf, type NumberText } from '../../base/decimal.ts';
import { contains, type Interval } from '../../base/interval.ts';
import { firstIndex } from '../../base/sorted.ts';
import type { AnalysisSeries, CalendarAsset, SeriesKind, SymbolFigures } from './analysis.ts';
import { tradesOf } from './bookReader.ts';
import { liquidations } from './positions.ts';
import { isDecided, liesIn, type BookPosition } from './positionBook.ts';
import type { LedgerHistory } from '../ledger.ts';
import type { AnalysisScope } from './scope.ts';
import { sumSeries } from './sums.ts';
import { lacksFigure } from '../storage/columns.ts';
import { TradeReader } from '../storage/tradeReader.ts';

const views = ['realizedPl', 'fees', 'funding'] as const;

/** What each symbol came to; a row without a symbol is of several, and one in another asset has its fees only. */
export function symbolFigures(scope: AnalysisScope): readonly SymbolFigures[] {
  const { database, period, symbols } = scope;
  const book = scope.book();
  const volumes = new Map<string, bigint>();
  for (const { symbol, change, price } of tradesOf(new TradeReader(database), period)) {
    if (change === null || price === null) continue;
    const volume = change < 0n ? -change * price : change * price;
    volumes.set(symbol, (volumes.get(symbol) ?? 0n) + volume);
  }
  const closed = Map.groupBy(closedIn(book.positions, period), ({ symbol }) => symbol);
  const undecided = Map.groupBy(
    book.positions.filter((each) => each.undecided !== null && liesIn(each, period)),
    ({ symbol }) => symbol,
  );
  const isLiquidated = liquidations(scope);
  const isRead = (history: LedgerHistory): boolean =>
    scope.coverage.gaps.every((gap) => gap.history !== history);
  const partial = new Set(
    lackingRows(scope, 'trades', ['amount', 'price', 'fee', 'rpnl']).map((each) => each.symbol),
  );
  const lacking = lackingRows(scope, 'futureTransactions', ['amount']);
  const areBooked = isRead('futureTransactions') && lacking.length === 0;
  const series = views.flatMap((view) => sumSeries({ ...scope, splitBy: 'symbol' }, view));
  const idOf = (symbol: string | null, asset: string): string => JSON.stringify([symbol, asset]);
  const rows = Map.groupBy(series, ({ key, asset }) => idOf(key, asset));
  for (const symbol of [...volumes.keys(), ...closed.keys(), ...undecided.keys()]) {
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
      const liquidated = positions.map(isLiquidated);
      const areTraded = isRead('trades') && !partial.has(symbol);
      const isKnown = areTraded && positions.every(isResultKnown);
      return {
        ...{ symbol, asset, assetBasis: isMargin ? margin.assetBasis : 'known' },
        gross: isKnown ? total('realizedPl') : null,
        fees: areTraded && isSignKnown(own) ? total('feePaid', 'feeRebate') : null,
        charges: areBooked ? total('funding', 'liquidationFee') : null,
        net:
          isKnown && areBooked
            ? netOf(own.map(({ kind, total: amount }) => ({ kind, amount })))
            : null,
        traded: isMargin
          ? {
              volume: areTraded
                ? textOf({ integer: volumes.get(symbol) ?? 0n, fraction: 2 * book.fraction })
                : null,
              positions: positions.length,
              undecided: undecided.get(symbol)?.length ?? 0,
              wins: isKnown ? positions.filter(({ rpnl }) => (rpnl ?? 0n) > 0n).length : null,
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
  const closed = closedIn(scope.book().positions, period);
  const byDay = Map.groupBy(closed, ({ symbol, closed: at }) => {
    const { asset } = symbols.assetOf(symbol, 'marginAsset');
    return `${firstIndex(buckets, ({ to }) => to <= (at ?? 0))} ${asset}`;
  });
  const series = views.flatMap((view) => sumSeries({ ...scope, splitBy: 'asset' }, view));
  const byAsset = Map.groupBy(series, ({ asset }) => asset);
  const lacking = [
    ...lackingRows(scope, 'trades', ['fee', 'rpnl']),
    ...lackingRows(scope, 'futureTransactions', ['amount']),
  ];
  const partial = new Set(lacking.map(({ time }) => firstIndex(buckets, ({ to }) => to <= time)));
  return [...byAsset].map(([asset, own]) => ({
    asset,
    assetBasis: own.find((each) => each.assetBasis !== 'known')?.assetBasis ?? 'known',
    days: buckets.map((bucket, index) => {
      const parts = own.flatMap(({ kind, values }) => {
        const amount = values[index] ?? null;
        return amount === null ? [] : [{ kind, amount }];
      });
      const ended = byDay.get(`${index} ${asset}`) ?? [];
      const net = !partial.has(index) && ended.every(isResultKnown) ? netOf(parts) : null;
      return { ...bucket, net, closed: ended.length };
    }),
  }));
}

type Lacking = { readonly time: number; readonly symbol: string | null };

/** The rows that lack one of these figures: a sum of theirs is not known. */
function lackingRows(
  { database, period }: AnalysisScope,
  history: 'trades' | 'futureTransactions',
  figures: readonly string[],
): readonly Lacking[] {
  const symbol = history === 'trades' ? 'symbol' : 'NULL AS symbol';
  const isLacking = `(${lacksFigure(history)}) AND (${lacksFigure(history, figures)})`;
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
