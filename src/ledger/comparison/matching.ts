import { amountOf, times, type NumberText } from '../../base/decimal.ts';
import { always, contains, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { hourMs, minuteMs } from '../../base/time.ts';
import type { StoredTrade } from '../storage/tradeReader.ts';
import {
  botFigure,
  botSide,
  figureKey,
  isNothing,
  mostFrequent,
  sharedTexts,
  symbolKey,
} from './botValues.ts';
import type { BotBook, BotRow, Cause, ComparisonChoices } from './comparison.ts';
import { Fills } from './fills.ts';
import type { ComparisonReader } from './ledgerReader.ts';

/** A row of the bot and what the exchange has of it. */
export type Pair = {
  readonly row: BotRow;
  /** Without one that is the exchange's, it is matched by its figures. */
  readonly hasId: boolean;
  fills: Fills | undefined;
  /** Another row has its only trade. */
  isRepeated: boolean;
  /** Its P&L is that of a closed position. */
  isInPosition: boolean;
  /** How far its time should be ahead of the exchange's. */
  offsetMs: number;
  /** Once it is judged. */
  causes: readonly Cause[];
  isUndecided: boolean;
};

export type Matches = {
  readonly pairs: readonly Pair[];
  readonly ofOrder: (orderId: string) => readonly Pair[];
  /** Trades of no row, by order. */
  readonly lonely: readonly Fills[];
  readonly orders: Orders;
};

/** Times of an unknown zone are as far from the exchange's at most. */
export const mostOffsetMs = 15 * hourMs;
/** Of two times in one zone, for rows that have no id. */
const nearMs = 10 * minuteMs;
const zoneStepMs = 15 * minuteMs;
/** How far the zones of the world are ahead of UTC, in minutes. */
export const zoneMinutes = Array.from(
  { length: 4 * (12 + 14) + 1 },
  (_none, step) => 15 * step - 12 * 60,
);

/** The nearest zone that is so far ahead; not -0. */
export function zoneOf(leadMs: number): number {
  return Math.round(leadMs / zoneStepMs) * zoneStepMs + 0;
}

type PairIndex = Map<string, Pair[]>;

const noCauses: readonly Cause[] = [];

type IdKind = 'all' | 'orders' | 'none';

/** By all ids; if none of a kind is the exchange's, without that kind. */
export function matchRows(book: BotBook, reader: ComparisonReader, symbols: NamedSymbols): Matches {
  const orders = new Orders(book, reader);
  for (const kind of ['all', 'orders'] as const) {
    if (!book.rows.some((row) => hasId(row, kind))) continue;
    const matches = new Matching(book, kind, orders, symbols).read(reader);
    if (matches.pairs.some(({ fills, hasId: isById }) => fills && isById)) return matches;
  }
  return new Matching(book, 'none', orders, symbols).read(reader);
}

function hasId({ tradeId, orderId, clientOrderId }: BotRow, kind: IdKind): boolean {
  return (
    kind !== 'none' && ((kind === 'all' ? tradeId : null) ?? orderId ?? clientOrderId) !== null
  );
}

/** Without a multiplier, it is found by evidence. */
type NamedSymbol = { readonly symbol: string; readonly multiplier: NumberText | null };
export type NamedSymbols = ReadonlyMap<string, NamedSymbol>;

/** The exchange's symbol of each symbol of the bot, as far as it was chosen or they are the same word. */
export function matchSymbols(
  { rows }: BotBook,
  reader: ComparisonReader,
  { symbols: chosen }: ComparisonChoices,
): NamedSymbols {
  const byKey = new Map(reader.symbols().map((symbol) => [symbolKey(symbol), symbol]));
  const written = new Set(rows.flatMap(({ symbol }) => symbol ?? []));
  return new Map(
    [...written].flatMap((symbol) => {
      const own = Object.hasOwn(chosen, symbol) ? chosen[symbol] : undefined;
      const word = byKey.get(symbolKey(own?.symbol ?? symbol)) ?? own?.symbol;
      if (word === undefined) return [];
      return [[symbol, { symbol: word, multiplier: own?.multiplier ?? null }] as const];
    }),
  );
}

/** What is known of the orders that the bot placed, and which orders were liquidations. */
class Orders {
  private readonly placed: Set<string | null>;
  private readonly byClientId: ReadonlyMap<string | null, string>;
  private readonly liquidated: ReadonlySet<string | null>;

  constructor({ rows, placed }: BotBook, reader: ComparisonReader) {
    const named = rows.flatMap(({ clientOrderId }) => clientOrderId ?? []);
    this.byClientId = reader.orderIds([...new Set([...placed, ...named])]);
    const ids = rows.map(({ orderId }) => orderId);
    this.placed = new Set([...placed, ...ids, ...this.byClientId.values()]);
    this.liquidated = new Set(reader.liquidatedOrders());
  }

  /** A matched trade shows that its order is the bot’s, also in books without ids of orders. */
  noteMatched(pairs: readonly Pair[]): void {
    for (const { fills } of pairs) if (fills) this.placed.add(fills.orderId);
  }

  isPlaced(orderId: string | null): boolean {
    return orderId !== null && this.placed.has(orderId);
  }

  isLiquidation({ orderId }: Fills): boolean {
    return this.liquidated.has(orderId);
  }

  /** Whether all that names the order of a row is an id that the ledger does not have. */
  isUnknown(row: BotRow): boolean {
    return row.tradeId === null && row.clientOrderId !== null && this.idOf(row) === null;
  }

  /** The exchange's id of the order of a row. */
  idOf({ orderId, clientOrderId }: BotRow): string | null {
    return orderId ?? this.byClientId.get(clientOrderId) ?? null;
  }
}

class Matching {
  private readonly pairs: readonly Pair[];
  private readonly orders: Orders;
  private readonly symbols: NamedSymbols;
  private readonly byTrade: PairIndex = new Map();
  private readonly byOrder: PairIndex = new Map();
  private readonly byFigures: PairIndex = new Map();
  /** By symbol, then by order. */
  private readonly lonely = new Map<string, Map<string, Fills>>();
  /** Of an order with several rows, and of rows that say the same. */
  private readonly ofOrder = new Map<Pair[], Fills[]>();
  private readonly alike = new Map<Pair[], Fills[]>();
  private readonly period: Interval;
  private fraction = 0;
  private readonly shared = sharedTexts();

  constructor({ rows, openSymbols }: BotBook, kind: IdKind, orders: Orders, symbols: NamedSymbols) {
    this.orders = orders;
    this.symbols = symbols;
    const { from, to } = periodOfTimes(rows.flatMap(({ timeMs }) => timeMs ?? [])) ?? always;
    this.period = {
      from: from - mostOffsetMs,
      to: openSymbols.length > 0 ? openEnd : to + mostOffsetMs,
    };
    this.pairs = rows.map((row) => ({
      ...{ row, hasId: hasId(row, kind), fills: undefined, isRepeated: false, offsetMs: 0 },
      ...{ causes: noCauses, isInPosition: false, isUndecided: false },
    }));
    for (const pair of this.pairs) {
      const { row } = pair;
      const orderId = orders.idOf(row);
      if (kind === 'all' && row.tradeId !== null) push(this.byTrade, row.tradeId, pair);
      else if (kind !== 'none' && orderId !== null) push(this.byOrder, orderId, pair);
      else if (!pair.hasId && row.timeMs !== null) push(this.byFigures, this.figuresOf(row), pair);
    }
  }

  read({ trades }: ComparisonReader): Matches {
    this.fraction = trades.fraction;
    // An order may be older than its row by any time.
    const from = this.byOrder.size > 0 ? openStart : this.period.from;
    for (const trade of trades.since(from)) this.take(trade);
    for (const [, pairs] of this.byTrade)
      for (const pair of pairs)
        pair.isRepeated =
          !pair.fills && pairs.some((other) => other.fills && isOneSymbol(pair, other));
    for (const [pairs, fills] of this.ofOrder)
      this.pair(pairs, fills, [saysSame, hasSamePrice, ({ row }, fill) => this.isOf(fill, row)]);
    this.pairLikely();
    this.orders.noteMatched(this.pairs);
    // Nothing else of the matching has to stay in memory.
    const { byOrder } = this;
    return {
      ...{
        pairs: this.pairs,
        lonely: [...this.lonely.values()].flatMap((own) => [...own.values()]),
        orders: this.orders,
      },
      ofOrder: (orderId) => byOrder.get(orderId) ?? [],
    };
  }

  private take(trade: StoredTrade): void {
    const { tradeId, orderId } = trade;
    const isOfSymbol = ({ row }: Pair): boolean => this.isOf(trade, row);
    const ofTrade = this.byTrade.get(tradeId)?.find((pair) => !pair.fills && isOfSymbol(pair));
    const rowsWithId = orderId === null ? [] : (this.byOrder.get(orderId) ?? []);
    const ofOrder = rowsWithId.filter(isOfSymbol);
    const pair = ofTrade ?? ofOrder[0] ?? rowsWithId.find(({ fills }) => !fills);
    const fills = pair?.fills;
    if (!pair) this.takeOther(trade);
    else if (!ofTrade && ofOrder.length > 1) push(this.ofOrder, rowsWithId, this.fillsOf(trade));
    else if (fills?.symbol === trade.symbol) fills.add(trade);
    else {
      // Of another symbol: it stays only until one of the row’s own symbol comes.
      if (fills) this.lonelyOf(fills).set(keyOf(fills), fills);
      pair.fills = this.fillsOf(trade);
    }
  }

  private fillsOf(trade: StoredTrade): Fills {
    return new Fills(trade, this.fraction, this.shared);
  }

  private takeOther(trade: StoredTrade): void {
    if (!contains(this.period, trade.time) && !this.orders.isPlaced(trade.orderId)) return;
    const alike = this.byFigures.size > 0 && this.byFigures.get(tradeFigures(this.fillsOf(trade)));
    if (alike) push(this.alike, alike, this.fillsOf(trade));
    else this.leave(trade);
  }

  private leave(trade: StoredTrade): void {
    const [own, key] = [this.lonelyOf(trade), keyOf(trade)];
    const order = own.get(key);
    if (order) order.add(trade);
    else own.set(key, this.fillsOf(trade));
  }

  private lonelyOf({ symbol }: Pick<Fills, 'symbol'>): Map<string, Fills> {
    const own = this.lonely.get(symbol) ?? new Map<string, Fills>();
    this.lonely.set(symbol, own);
    return own;
  }

  /** Ids may be unique only within a symbol. */
  private isOf(trade: Pick<StoredTrade, 'symbol'>, row: BotRow): boolean {
    const named = this.symbols.get(row.symbol ?? '');
    return !named || named.symbol === trade.symbol;
  }

  /** Rows with trades that say the same, then of the same price, as in contracts; then the others in the order of time. */
  private pair(
    pairs: readonly Pair[],
    fills: readonly Fills[],
    fits: readonly IsFit[],
    distance: (pair: Pair, fill: Fills) => number = () => 0,
  ): void {
    const left = new Set(fills);
    const byTime = pairs.toSorted((one, other) => timeOf(one) - timeOf(other));
    for (const isFit of fits)
      for (const pair of byTime) {
        if (pair.fills || pair.isRepeated) continue;
        [pair.fills] = [...left]
          .filter((fill) => isFit(pair, fill))
          .toSorted((one, other) => distance(pair, one) - distance(pair, other));
        if (pair.fills) left.delete(pair.fills);
        else pair.isRepeated = pairs.some((other) => isCopy(pair, other));
      }
    for (const fill of left) this.lonelyOf(fill).set(`trade ${fill.tradeId}`, fill);
  }

  /** Without ids, times decide: in the zone that most rows show, then an hour beside it, where clocks changed. */
  private pairLikely(): void {
    this.takeWholeOrders();
    const zone = mostFrequent(this.likelyZones()) ?? 0;
    const farFrom = (pair: Pair, fill: Fills, lead = zone): number =>
      Math.abs(leadOf(pair, fill) - lead);
    const isAt =
      (...leads: readonly number[]): IsFit =>
      (pair, fill) =>
        (botSide(pair.row.side) ?? fill.side) === fill.side &&
        leads.some((lead) => farFrom(pair, fill, lead) <= nearMs);
    const fits = [isAt(zone), isAt(zone - hourMs, zone + hourMs)];
    for (const [pairs, fills] of this.alike) this.pair(pairs, fills, fits, farFrom);
  }

  /** A bot without ids may write one row for each order. */
  private takeWholeOrders(): void {
    if (this.byFigures.size === 0) return;
    for (const own of this.lonely.values())
      for (const [key, fills] of own) {
        const alike = fills.count > 1 && this.byFigures.get(tradeFigures(fills));
        if (alike && own.delete(key)) push(this.alike, alike, fills);
      }
  }

  /** How far each row may be ahead of each trade that it is like. */
  private *likelyZones(): Generator<number> {
    for (const [pairs, fills] of this.alike)
      for (const pair of pairs)
        for (const fill of fills) {
          const zone = zoneOf(leadOf(pair, fill));
          if (Math.abs(zone) <= mostOffsetMs) yield zone;
        }
  }

  private figuresOf({ symbol, amount, price }: BotRow): string {
    const named = this.symbols.get(symbol ?? '');
    const own = botFigure(amount);
    const size = own && times(own, amountOf(named?.multiplier ?? '1'));
    return [named?.symbol ?? symbol, figureKey(size), botKey(price)].join(' ');
  }
}

export type { Orders };

/** Of the order of a trade, or of the trade. */
function keyOf({ orderId, tradeId }: Pick<Fills, 'orderId' | 'tradeId'>): string {
  return orderId ?? `trade ${tradeId}`;
}

type IsFit = (pair: Pair, fill: Fills) => boolean;

/** From the first to the last moment; null without one. */
export function periodOfTimes(times: readonly number[]): Interval | null {
  let [from, to] = [openEnd, openStart];
  for (const time of times) {
    from = Math.min(from, time);
    to = Math.max(to, time + 1);
  }
  return from < to ? { from, to } : null;
}

/** In the exchange's time: from the first fill that the bot notes until the row was written. */
export function timesOfBot({ row, offsetMs, fills }: Pair): readonly number[] {
  const time = row.timeMs === null ? null : row.timeMs - offsetMs;
  if (!fills || isNothing(botFigure(row.amount))) return time === null ? [] : [time];
  // Whatever time a row has, it was written at one of its fills.
  const { firstTime, lastTime } = fills;
  return [firstTime, Math.max(firstTime, Math.min(time ?? firstTime, lastTime))];
}

/** How much later the bot says it was. */
function leadOf({ row }: Pair, fill: Fills): number {
  return (row.timeMs ?? fill.firstTime) - fill.firstTime;
}

function isOneSymbol({ row }: Pair, other: Pair): boolean {
  return symbolKey(row.symbol ?? '') === symbolKey(other.row.symbol ?? '');
}

function isCopy(pair: Pair, other: Pair): boolean {
  const [one, matched] = [pair.row, other.row];
  return (
    other.fills !== undefined &&
    Math.abs(timeOf(pair) - timeOf(other)) <= nearMs &&
    botKey(one.amount) === botKey(matched.amount) &&
    botKey(one.price) === botKey(matched.price)
  );
}

/** What has no time is first. */
function timeOf({ row }: Pair): number {
  return row.timeMs ?? 0;
}

function saysSame(pair: Pair, fill: Fills): boolean {
  return botKey(pair.row.amount) === figureKey(fill.amount) && hasSamePrice(pair, fill);
}

function hasSamePrice({ row }: Pair, fill: Fills): boolean {
  return botKey(row.price) === figureKey(fill.price);
}

function tradeFigures({ symbol, amount, price }: Fills): string {
  return [symbol, figureKey(amount), figureKey(price)].join(' ');
}

function botKey(text: string | null): string {
  return figureKey(botFigure(text));
}

function push<Key, Item>(index: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = index.get(key);
  if (items) items.push(item);
  else index.set(key, [item]);
}
