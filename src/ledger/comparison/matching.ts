import { amountOf, times, type NumberText } from '../../base/decimal.ts';
import { contains, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { hourMs, minuteMs } from '../../base/time.ts';
import type { StoredTrade } from '../storage/tradeReader.ts';
import { botFigure, botSide, figureKey, sharedTexts, symbolKey } from './botValues.ts';
import type { BotBook, BotRow, Cause, ComparisonChoices } from './comparison.ts';
import { Fills } from './fills.ts';
import type { ComparisonReader } from './ledgerReader.ts';

/** A row of the bot and what the exchange has of it. */
export type Pair = {
  readonly row: BotRow;
  fills: Fills | undefined;
  /** Matched without an id. */
  isLikely: boolean;
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
  /** Rows without an id that are like no trade. */
  readonly unlike: ReadonlySet<Pair>;
  /** The bot's symbols of rows without an id, none of which was matched: it may write them in a way of its own. */
  readonly strangeSymbols: ReadonlySet<string | null>;
  /** The exchange's symbols of what was matched. */
  readonly matchedSymbols: ReadonlySet<string>;
};

/** Times of an unknown zone are as far from the exchange's at most. */
const mostOffsetMs = 15 * hourMs;
/** Of two times in one zone, for rows that have no id. */
export const nearMs = 10 * minuteMs;
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
    const matches = new Matching(book.rows, kind, orders, symbols).read(reader);
    if (matches.pairs.some(({ fills, isLikely }) => fills && !isLikely)) return matches;
  }
  return new Matching(book.rows, 'none', orders, symbols).read(reader);
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

  isLiquidation({ orderId, isLiquidation }: Fills): boolean {
    return isLiquidation || this.liquidated.has(orderId);
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
  private readonly lonely = new Map<string, Fills>();
  /** Of an order with several rows, and of rows that say the same. */
  private readonly ofOrder = new Map<Pair[], Fills[]>();
  private readonly alike = new Map<Pair[], Fills[]>();
  private readonly period: Interval;
  private fraction = 0;
  private readonly shared = sharedTexts();

  constructor(rows: readonly BotRow[], kind: IdKind, orders: Orders, symbols: NamedSymbols) {
    this.orders = orders;
    this.symbols = symbols;
    this.period = widePeriodOf(rows);
    this.pairs = rows.map((row) => {
      const unmatched = { fills: undefined, isLikely: false, isRepeated: false, offsetMs: 0 };
      return { row, ...unmatched, causes: noCauses, isInPosition: false, isUndecided: false };
    });
    for (const pair of this.pairs) {
      const { row } = pair;
      const orderId = orders.idOf(row);
      if (kind === 'all' && row.tradeId !== null) push(this.byTrade, row.tradeId, pair);
      else if (kind !== 'none' && orderId !== null) push(this.byOrder, orderId, pair);
      else if (!hasId(row, kind) && row.timeMs !== null)
        push(this.byFigures, this.figuresOf(row), pair);
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
    for (const [pairs, fills] of this.ofOrder) this.pair(pairs, fills, () => true);
    this.pairLikely();
    this.orders.noteMatched(this.pairs);
    // Nothing else of the matching has to stay in memory.
    const { byOrder } = this;
    const strangeSymbols = new Set<string | null>();
    const matchedSymbols = new Set<string>();
    const unlike = new Set<Pair>();
    for (const pair of [...this.byFigures.values()].flat()) {
      strangeSymbols.add(pair.row.symbol);
      if (!pair.fills && !pair.isRepeated) unlike.add(pair);
    }
    for (const { row, fills } of this.pairs)
      if (fills) {
        strangeSymbols.delete(row.symbol);
        matchedSymbols.add(fills.symbol);
      }
    return {
      ...{ unlike, strangeSymbols, matchedSymbols },
      ...{ pairs: this.pairs, lonely: [...this.lonely.values()], orders: this.orders },
      ofOrder: (orderId) => byOrder.get(orderId) ?? [],
    };
  }

  private take(trade: StoredTrade): void {
    const { tradeId, orderId } = trade;
    const ofTrade = this.byTrade.get(tradeId)?.find((pair) => this.isFree(pair, trade));
    const ofOrder = orderId === null ? [] : (this.byOrder.get(orderId) ?? []);
    const pair = ofTrade ?? ofOrder[0];
    if (!pair) this.takeOther(trade);
    else if (!ofTrade && ofOrder.length > 1) push(this.ofOrder, ofOrder, this.fillsOf(trade));
    else if (pair.fills) pair.fills.add(trade);
    else pair.fills = this.fillsOf(trade);
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
    const key = trade.orderId ?? `trade ${trade.tradeId}`;
    const order = this.lonely.get(key);
    if (order) order.add(trade);
    else this.lonely.set(key, this.fillsOf(trade));
  }

  /** Ids may be unique only within a symbol. */
  private isFree({ row, fills }: Pair, trade: StoredTrade): boolean {
    const named = this.symbols.get(row.symbol ?? '');
    return !fills && (!named || named.symbol === trade.symbol);
  }

  /** Rows with trades that say the same, then the others in their order. */
  private pair(
    pairs: readonly Pair[],
    fills: readonly Fills[],
    isNear: (pair: Pair, fill: Fills) => boolean,
    isPossible = isNear,
  ): void {
    const left = new Set(fills);
    const take = (pair: Pair, isFit: (pair: Pair, fill: Fills) => boolean): boolean => {
      pair.fills = [...left].find((fill) => isFit(pair, fill));
      return pair.fills !== undefined && left.delete(pair.fills);
    };
    const rest = pairs.filter(
      (pair) => !take(pair, (own, fill) => saysSame(own, fill) && isNear(own, fill)),
    );
    for (const pair of rest) {
      pair.isRepeated = pairs.some((other) => isCopy(pair, other));
      if (!pair.isRepeated) take(pair, isPossible);
    }
    for (const fill of left) this.lonely.set(`trade ${fill.tradeId} ${fill.symbol}`, fill);
  }

  /** Without ids, times decide: in the zones that most rows show, then an hour beside them, where clocks changed. */
  private pairLikely(): void {
    this.takeWholeOrders();
    const offsets = this.likelyOffsets();
    const isAt =
      (all: readonly number[]) =>
      (pair: Pair, fill: Fills): boolean =>
        all.some((offset) => Math.abs(leadOf(pair, fill) - offset) <= nearMs);
    const beside = offsets.flatMap((offset) => [offset, offset - hourMs, offset + hourMs]);
    for (const [pairs, fills] of this.alike) {
      this.pair(pairs, fills, isAt(offsets), isAt(beside));
      for (const pair of pairs) pair.isLikely = pair.fills !== undefined;
    }
  }

  /** A bot without ids may write one row for each order. */
  private takeWholeOrders(): void {
    if (this.byFigures.size === 0) return;
    for (const [key, fills] of this.lonely) {
      const alike = fills.count > 1 && this.byFigures.get(tradeFigures(fills));
      if (alike && this.lonely.delete(key)) push(this.alike, alike, fills);
    }
  }

  private likelyOffsets(): readonly number[] {
    const votes = new Map<number, number>();
    for (const [pairs, fills] of this.alike)
      for (const pair of pairs)
        for (const fill of fills) {
          const offset = zoneOf(leadOf(pair, fill));
          if (Math.abs(offset) <= mostOffsetMs) votes.set(offset, (votes.get(offset) ?? 0) + 1);
        }
    const most = Math.max(0, ...votes.values());
    return [...votes].filter(([, count]) => count * 5 >= most).map(([offset]) => offset);
  }

  private figuresOf({ symbol, side, amount, price }: BotRow): string {
    const named = this.symbols.get(symbol ?? '');
    const own = botFigure(amount);
    const size = own && times(own, amountOf(named?.multiplier ?? '1'));
    const word = named?.symbol ?? symbol ?? '';
    return [word, botSide(side) ?? '', figureKey(size), botKey(price)].join(' ');
  }
}

export type { Orders };

/** From a zone before the first row to one after the last. */
function widePeriodOf(rows: readonly BotRow[]): Interval {
  let [from, to] = [openEnd, 0];
  for (const { timeMs } of rows) {
    from = Math.min(from, timeMs ?? openEnd);
    to = Math.max(to, timeMs ?? 0);
  }
  return from === openEnd
    ? { from: 0, to: openEnd }
    : { from: from - mostOffsetMs, to: to + mostOffsetMs };
}

/** How much later the bot says it was. */
function leadOf({ row }: Pair, fill: Fills): number {
  return (row.timeMs ?? fill.firstTime) - fill.firstTime;
}

function isOneSymbol({ row }: Pair, other: Pair): boolean {
  return symbolKey(row.symbol ?? '') === symbolKey(other.row.symbol ?? '');
}

function isCopy({ row }: Pair, other: Pair): boolean {
  const isSameTime = Math.abs((row.timeMs ?? 0) - (other.row.timeMs ?? 0)) <= nearMs;
  return other.fills !== undefined && isSameTime && saysSame({ row }, other.fills);
}

function saysSame({ row: { amount, price } }: Pick<Pair, 'row'>, fill: Fills): boolean {
  return botKey(amount) === figureKey(fill.amount) && botKey(price) === figureKey(fill.price);
}

function tradeFigures({ symbol, side, amount, price }: Fills): string {
  return [symbol, side ?? '', figureKey(amount), figureKey(price)].join(' ');
}

function botKey(text: string | null): string {
  return figureKey(botFigure(text));
}

function push<Key, Item>(index: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = index.get(key);
  if (items) items.push(item);
  else index.set(key, [item]);
}
