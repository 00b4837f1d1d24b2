import { openEnd, type Interval } from '../../base/interval.ts';
import { hourMs, minuteMs } from '../../base/time.ts';
import type { LedgerRecord } from '../ledger.ts';
import type { ReconciliationReader } from '../reconciliation/reconciliationReader.ts';
import { botFigure, botSide, figureKey, symbolKey } from './botValues.ts';
import type { BotBook, BotRow, ComparisonChoices } from './comparison.ts';
import { Fills, type TradeRecord } from './fills.ts';

/** What a comparison reads of a ledger. Its calls block. */
export type ComparisonReader = Pick<
  ReconciliationReader,
  'coverage' | 'records' | 'marginAssetOf'
> & {
  /** Those of its trades. */
  symbols(): readonly string[];
};

type OrderRecord = LedgerRecord<'orders'>;

/** Which trades belong to which row of the bot, by the row's index. */
export type Matches = {
  readonly fills: readonly (Fills | undefined)[];
  /** Matched without an id. */
  readonly likely: ReadonlySet<number>;
  /** Rows whose only trade another row has. */
  readonly repeated: ReadonlySet<number>;
  /** Trades of no row, by order. */
  readonly lonely: readonly Fills[];
  readonly orders: Orders;
};

/** Times of an unknown zone are as far from the exchange's at most. */
const mostOffsetMs = 15 * hourMs;
/** Of two times in one zone, for rows that have no id. */
const nearMs = 10 * minuteMs;
export const zoneStepMs = 15 * minuteMs;

type RowIndex = Map<string, number[]>;

/** Matches by ids; if none of a kind is the exchange's, without that kind. */
export function matchRows(
  book: BotBook,
  reader: ComparisonReader,
  symbols: ReadonlyMap<string, string>,
): Matches {
  const period = periodOf(book.rows);
  const orders = new Orders(book, reader);
  const without = (ids: Partial<BotRow>): BotRow[] => book.rows.map((row) => ({ ...row, ...ids }));
  for (const read of [() => book.rows, () => without({ tradeId: null })]) {
    const rows = read();
    if (!rows.some(hasId)) continue;
    const matches = new Matching(rows, orders, symbols).read(reader, period);
    if (matches.fills.some((fills, index) => fills && !matches.likely.has(index))) return matches;
  }
  const withoutIds = without({ tradeId: null, orderId: null, clientOrderId: null });
  return new Matching(withoutIds, orders, symbols).read(reader, period);
}

function hasId({ tradeId, orderId, clientOrderId }: BotRow): boolean {
  return (tradeId ?? orderId ?? clientOrderId) !== null;
}

/** The exchange's symbol of each symbol of the bot, as far as they are the same word. */
export function matchSymbols(
  { rows }: BotBook,
  reader: ComparisonReader,
  { symbols: chosen }: ComparisonChoices,
): ReadonlyMap<string, string> {
  const byKey = new Map(reader.symbols().map((symbol) => [symbolKey(symbol), symbol]));
  const written = new Set(rows.flatMap(({ symbol }) => symbol ?? []));
  return new Map(
    [...written].flatMap((symbol) => {
      const own = Object.hasOwn(chosen, symbol) ? chosen[symbol]?.symbol : undefined;
      const found = own ?? byKey.get(symbolKey(symbol));
      return found === undefined ? [] : [[symbol, found] as const];
    }),
  );
}

/** From a zone before the first row on: a fill may come after the last one. */
function periodOf(rows: readonly BotRow[]): Interval {
  let from = openEnd;
  for (const { at } of rows) from = Math.min(from, at?.ms ?? openEnd);
  return { from: from === openEnd ? 0 : from - mostOffsetMs, to: openEnd };
}

/** What is known of the orders that the bot placed, and which orders were liquidations. */
class Orders {
  private readonly placed: Set<string>;
  private readonly own = new Map<string, OrderRecord>();
  private readonly byClientId = new Map<string, string>();
  private readonly liquidated = new Set<string>();

  constructor({ rows, placed }: BotBook, reader: ComparisonReader) {
    const ids = rows.flatMap(({ orderId, clientOrderId }) => [orderId, clientOrderId]);
    this.placed = new Set([...placed, ...ids.filter((id) => id !== null)]);
    for (const { record } of reader.records('orders', { from: 0, to: openEnd })) this.take(record);
  }

  private take(record: OrderRecord): void {
    const { orderId, clientOrderId, status } = record;
    if (status === 'LIQUIDATED') this.liquidated.add(orderId);
    const isNamed = clientOrderId !== null && this.placed.has(clientOrderId);
    if (!isNamed && !this.placed.has(orderId)) return;
    this.own.set(orderId, record);
    if (isNamed) this.byClientId.set(clientOrderId, orderId);
  }

  isPlaced({ orderId }: TradeRecord): boolean {
    return orderId !== null && (this.own.has(orderId) || this.placed.has(orderId));
  }

  isLiquidation({ orderId, type }: TradeRecord): boolean {
    return (orderId !== null && this.liquidated.has(orderId)) || /liquid/i.test(type ?? '');
  }

  averagePrice({ orderId }: TradeRecord): string | null {
    return (orderId === null ? undefined : this.own.get(orderId))?.averageExecutionPrice ?? null;
  }

  /** The exchange's id of the order of a row. */
  idOf({ orderId, clientOrderId }: BotRow): string | null {
    return (
      orderId ?? (clientOrderId === null ? null : (this.byClientId.get(clientOrderId) ?? null))
    );
  }
}

class Matching {
  private readonly rows: readonly BotRow[];
  private readonly orders: Orders;
  private readonly symbols: ReadonlyMap<string, string>;
  private readonly byTrade: RowIndex = new Map();
  private readonly byOrder: RowIndex = new Map();
  private readonly byFigures: RowIndex = new Map();
  private readonly fills: (Fills | undefined)[];
  private readonly likely = new Set<number>();
  private readonly repeated = new Set<number>();
  private readonly lonely = new Map<string, Fills>();
  /** Of orders that several rows without trade ids are of. */
  private readonly ofOrder = new Map<string, Fills[]>();
  private readonly alike = new Map<string, Fills[]>();

  constructor(rows: readonly BotRow[], orders: Orders, symbols: ReadonlyMap<string, string>) {
    this.rows = rows;
    this.orders = orders;
    this.symbols = symbols;
    this.fills = Array.from<undefined>({ length: rows.length });
    for (const [index, row] of rows.entries()) {
      const orderId = orders.idOf(row);
      if (row.tradeId !== null) push(this.byTrade, row.tradeId, index);
      else if (orderId !== null) push(this.byOrder, orderId, index);
      else if (!hasId(row)) push(this.byFigures, this.figuresOf(row), index);
    }
  }

  read(reader: ComparisonReader, period: Interval): Matches {
    for (const { time, record } of reader.records('trades', period)) this.take(record, time);
    for (const [, indexes] of this.byTrade) this.noteRepeated(indexes);
    for (const [orderId, fills] of this.ofOrder)
      this.pair(this.byOrder.get(orderId) ?? [], fills, () => true);
    this.pairLikely();
    const { fills, likely, repeated, lonely, orders } = this;
    return { fills, likely, repeated, lonely: [...lonely.values()], orders };
  }

  private take(record: TradeRecord, time: number): void {
    const { tradeId, orderId } = record;
    const ofTrade = this.byTrade.get(tradeId)?.find((index) => this.isFree(index, record));
    if (ofTrade !== undefined) {
      this.fills[ofTrade] = new Fills(record, time);
      return;
    }
    const [first, ...others] = this.byOrder.get(orderId ?? '') ?? [];
    if (first === undefined) this.takeOther(record, time);
    else if (others.length > 0) push(this.ofOrder, orderId ?? '', new Fills(record, time));
    else if (this.fills[first]) this.fills[first].add(record, time);
    else this.fills[first] = new Fills(record, time);
  }

  private takeOther(record: TradeRecord, time: number): void {
    const key = this.byFigures.size > 0 ? recordFigures(record) : '';
    if (this.byFigures.has(key)) push(this.alike, key, new Fills(record, time));
    else this.leave(record, time);
  }

  private leave(record: TradeRecord, time: number): void {
    const key = record.orderId ?? `trade ${record.tradeId}`;
    const order = this.lonely.get(key);
    if (order) order.add(record, time);
    else this.lonely.set(key, new Fills(record, time));
  }

  /** Ids may be unique only within a symbol. */
  private isFree(index: number, record: TradeRecord): boolean {
    const symbol = this.symbols.get(this.rows[index]?.symbol ?? '');
    return !this.fills[index] && (symbol === undefined || symbol === record.symbol);
  }

  private noteRepeated(indexes: readonly number[]): void {
    if (!indexes.some((index) => this.fills[index])) return;
    for (const index of indexes) if (!this.fills[index]) this.repeated.add(index);
  }

  /** Rows with trades that say the same, then the others in their order. */
  private pair(
    indexes: readonly number[],
    fills: readonly Fills[],
    isNear: (row: number, fill: Fills) => boolean,
  ): void {
    const left = new Set(fills);
    const rest: number[] = [];
    const nearest = (index: number, isFit: (fill: Fills) => boolean): boolean => {
      const fill = [...left].find((each) => isFit(each) && isNear(index, each));
      if (fill) left.delete(fill);
      this.fills[index] = fill;
      return fill !== undefined;
    };
    for (const index of indexes)
      if (!nearest(index, (fill) => this.saysSame(index, fill))) rest.push(index);
    for (const index of rest) {
      if (indexes.some((other) => this.isCopy(index, other))) this.repeated.add(index);
      else nearest(index, () => true);
    }
    for (const { first, firstTime } of left) this.leave(first, firstTime);
  }

  private isCopy(index: number, other: number): boolean {
    const fill = this.fills[other];
    const [time, otherTime] = [index, other].map((one) => this.rows[one]?.at);
    const isSameTime = Math.abs((time?.ms ?? 0) - (otherTime?.ms ?? 0)) <= nearMs;
    return fill !== undefined && isSameTime && this.saysSame(index, fill);
  }

  private saysSame(index: number, { first }: Fills): boolean {
    const { amount = null, price = null } = this.rows[index] ?? {};
    return keyOf(amount) === keyOf(first.amount) && keyOf(price) === keyOf(first.price);
  }

  /** Without ids, times decide: in the zones that most rows show. */
  private pairLikely(): void {
    const offsets = this.likelyOffsets();
    for (const [key, fills] of this.alike) {
      const indexes = this.byFigures.get(key) ?? [];
      this.pair(indexes, fills, (index, fill) =>
        offsets.some((offset) => Math.abs(this.lead(index, fill) - offset) <= nearMs),
      );
      for (const index of indexes) if (this.fills[index]) this.likely.add(index);
    }
  }

  private likelyOffsets(): readonly number[] {
    const votes = new Map<number, number>();
    for (const [key, fills] of this.alike)
      for (const index of this.byFigures.get(key) ?? [])
        for (const fill of fills) {
          const offset = Math.round(this.lead(index, fill) / zoneStepMs) * zoneStepMs;
          if (Math.abs(offset) <= mostOffsetMs) votes.set(offset, (votes.get(offset) ?? 0) + 1);
        }
    const most = Math.max(0, ...votes.values());
    return [...votes].filter(([, count]) => count * 5 >= most).map(([offset]) => offset);
  }

  /** How much later the bot says it was. */
  private lead(index: number, fill: Fills): number {
    return (this.rows[index]?.at?.ms ?? fill.firstTime) - fill.firstTime;
  }

  private figuresOf({ symbol, side, amount, price }: BotRow): string {
    const known = this.symbols.get(symbol ?? '') ?? symbol ?? '';
    return [known, botSide(side) ?? '', keyOf(amount), keyOf(price)].join(' ');
  }
}

export type { Orders };

function recordFigures({ symbol, side, amount, price }: TradeRecord): string {
  return [symbol, side ?? '', keyOf(amount), keyOf(price)].join(' ');
}

function keyOf(text: string | null): string {
  const figure = botFigure(text);
  return figure === null ? '' : figureKey(figure);
}

function push<Item>(index: Map<string, Item[]>, key: string, item: Item): void {
  const items = index.get(key);
  if (items) items.push(item);
  else index.set(key, [item]);
}
