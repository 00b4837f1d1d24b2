import { isSame, textOf, type NumberText } from '../../base/decimal.ts';
import { contains, openEnd, openStart, type Interval } from '../../base/interval.ts';
import { isDecided, type UndecidedPosition } from './analysis.ts';

/** Integers, all with the fraction of the book; null is unknown. `change` is below 0 if it was sold. */
export type BookTrade = {
  readonly symbol: string;
  readonly time: number;
  readonly row: number;
  readonly orderId: string | null;
  readonly change: bigint | null;
  readonly price: bigint | null;
  readonly rpnl: bigint | null;
  readonly fee: bigint | null;
  readonly feeAsset: string | null;
};

/** What a checkpoint says: the sizes of the positions of each symbol, null if one is unknown. */
export type BookCheck = {
  /** A trade in it may be in the sizes or not. */
  readonly bracket: Interval;
  /** Those that are not 0. A symbol that it does not name is flat. */
  readonly sizes: ReadonlyMap<string, readonly bigint[] | null>;
};

/** A liquidation without a trade: what its order says of it, which is nothing if only its fee is known. */
export type LoneLiquidation = {
  readonly at: number;
  readonly symbol: string | null;
  readonly side: string | null;
  readonly filled: NumberText | null;
};

type Fee = { readonly asset: string; integer: bigint };

/** Fills of one kind: their amount, and that times their prices, which has twice the fraction. */
type Fills = { amount: bigint; value: bigint | null };

export type BookPosition = {
  readonly symbol: string;
  /** Of an undecided one, when it is first known of. */
  readonly opened: number;
  /** Null while it is open, or if the time is unknown. */
  closed: number | null;
  lastAt: number;
  /** Up to when it may have been open, if it is undecided. */
  until: number;
  undecided: UndecidedPosition | null;
  isLong: boolean;
  largest: bigint;
  readonly entry: Fills;
  readonly exit: Fills;
  rpnl: bigint | null;
  /** By asset, as the trades have them; null if one is unknown. */
  fees: readonly Fee[] | null;
  orders: number;
  fills: number;
  /** The row of the trade that closed it. */
  closedBy: number | null;
  isLiquidatedWithoutTrade: boolean;
};

/** How often checkpoints had the size that the trades add up to. */
type BookChecks = { agreed: number; differed: number };

type SymbolBook = {
  readonly symbol: string;
  /** Null is unknown. */
  size: bigint | null;
  open: BookPosition | null;
  /** Closed since a checkpoint had its size. */
  unchecked: BookPosition[];
  /** Of the open position. */
  readonly orderIds: Set<string>;
  /** When its size may have changed last. */
  changedAt: number;
  /** When it may have been liquidated without a trade, and whether that can have closed it, and nothing else. */
  liquidation: { readonly at: number; readonly isClear: boolean } | null;
  /** Whether a checkpoint had its size, so that it is known to have begun with it. */
  isConfirmed: boolean;
  priceStep: bigint;
  rpnlStep: bigint;
  readonly checks: BookChecks;
  comparedAt: number;
  /** Where trades are missing, or wrong: a checkpoint has another size than they add up to since the one before. */
  readonly differences: Interval[];
};

/** The sizes that symbols begin with, null if unknown: some, and that of all others. */
export type Openings = {
  readonly sizes: ReadonlyMap<string, bigint | null>;
  readonly others: bigint | null;
  /** Whether checkpoints say so: else it is assumed, because all trades are read. */
  readonly areKnown: boolean;
};

type BookOptions = {
  readonly fraction: number;
  /** Whether short positions are below 0 in checkpoints. */
  readonly isSigned: boolean;
};

/** Positions from flat to flat, by symbol. Everything comes in the order of time. */
export class PositionBook {
  readonly books = new Map<string, SymbolBook>();
  /** In their order in time. A checkpoint may still make the last of them undecided. */
  readonly ended: BookPosition[] = [];
  private readonly options: BookOptions;
  private readonly unit: bigint;
  private openingOf: (symbol: string) => bigint | null = () => null;
  private areOpeningsKnown = false;
  /** When it began, or the last checkpoint since. */
  private checkedAt = openStart;

  constructor(options: BookOptions) {
    this.options = options;
    this.unit = 10n ** BigInt(options.fraction);
  }

  /** Begins with these sizes: the trades before are not all known. What is open may have ended meanwhile. */
  begin(at: number, { sizes, others, areKnown }: Openings): void {
    this.openingOf = (symbol) => sizes.get(symbol) ?? (sizes.has(symbol) ? null : others);
    this.areOpeningsKnown = areKnown;
    this.checkedAt = at;
    for (const book of this.books.values()) {
      this.end(book, 'missingTrades', at);
      book.size = this.openingOf(book.symbol);
      Object.assign(book, { changedAt: -Infinity, comparedAt: at, isConfirmed: areKnown });
      Object.assign(book, { unchecked: [], liquidation: null });
    }
    for (const symbol of sizes.keys()) this.bookOf(symbol);
    for (const book of this.books.values())
      if (book.size !== null && book.size !== 0n) this.unknownOpen(book, at, 'openedBefore');
  }

  trade(trade: BookTrade): void {
    const book = this.bookOf(trade.symbol);
    const { change, rpnl } = trade;
    book.changedAt = trade.time;
    if (book.liquidation) this.lose(book, 'liquidatedWithoutTrade', trade.time);
    if (change === null) this.lose(book, 'unknownFigure', trade.time);
    noteSteps(book, trade, this.unit);
    if (!mayReduce(book.size, change) && hasRealised(trade))
      this.contradict(book, book.isConfirmed ? 'contradicted' : 'openedBefore', trade.time);
    const { size } = book;
    if (size === null || change === null) {
      const open = this.unknownOpen(book, trade.time, 'openedBefore');
      open.lastAt = trade.time;
      open.fills += 1;
      if (trade.orderId !== null) book.orderIds.add(trade.orderId);
      return;
    }
    // It opens nothing.
    if (size === 0n && change === 0n) return;
    const after = size + change;
    const isFlip = (size > 0n && after < 0n) || (size < 0n && after > 0n);
    if (!isFlip) this.fill(book, trade, change, trade.fee, rpnl);
    else {
      const share = trade.fee && shareOf(trade.fee, size, change);
      const rest = trade.fee === null || share === null ? null : trade.fee - share;
      this.fill(book, trade, -size, share, rpnl);
      this.fill(book, trade, after, rest, 0n);
    }
  }

  /** Sizes as an answer of the exchange had them. */
  check({ bracket, sizes }: BookCheck): void {
    for (const symbol of sizes.keys()) this.bookOf(symbol);
    for (const book of this.books.values()) {
      if (book.changedAt >= bracket.from) continue;
      const own = sizes.has(book.symbol) ? sizes.get(book.symbol) : [];
      if (own) this.compare(book, own, bracket.from);
    }
    // Those that it does not name are flat.
    this.areOpeningsKnown = true;
    this.checkedAt = bracket.from;
  }

  liquidation(liquidation: LoneLiquidation): void {
    const { symbol, at } = liquidation;
    const named = symbol === null ? [...this.books.values()] : [this.bookOf(symbol)];
    const books = named.filter(({ size }) => size !== 0n);
    for (const book of books) {
      book.changedAt = at;
      if (book.size === null) continue;
      // One of two may have closed it.
      if (book.liquidation) this.lose(book, 'liquidatedWithoutTrade', at);
      else {
        const isClear = books.length === 1 && this.mayClose(liquidation, book.size);
        book.liquidation = { at, isClear };
      }
    }
  }

  /** As they are now. */
  open(isKnownToNow: boolean): BookPosition[] {
    return [...this.books.values()].flatMap(({ open, orderIds, liquidation }) => {
      const doubt = liquidation && 'liquidatedWithoutTrade';
      const undecided = open?.undecided ?? (isKnownToNow ? doubt : 'missingTrades');
      return open ? [{ ...open, orders: orderIds.size, undecided }] : [];
    });
  }

  private bookOf(symbol: string): SymbolBook {
    const found = this.books.get(symbol);
    if (found) return found;
    const book: SymbolBook = {
      ...{ symbol, size: this.openingOf(symbol), open: null, unchecked: [], orderIds: new Set() },
      ...{ changedAt: -Infinity, liquidation: null, priceStep: 0n, rpnlStep: 0n },
      isConfirmed: this.areOpeningsKnown,
      checks: { agreed: 0, differed: 0 },
      ...{ comparedAt: this.checkedAt, differences: [] },
    };
    this.books.set(symbol, book);
    return book;
  }

  /** Whether what is known of the order closes all of this size. */
  private mayClose({ side, filled }: LoneLiquidation, size: bigint): boolean {
    const { fraction } = this.options;
    const isAll = filled === null || isSame(filled, textOf({ integer: absolute(size), fraction }));
    return isAll && (side === null || side === (size > 0n ? 'SELL' : 'BUY'));
  }

  private compare(book: SymbolBook, sizes: readonly bigint[], at: number): void {
    const { isSigned } = this.options;
    const [size = 0n, ...others] = sizes;
    if (others.length > 0) {
      if (book.size !== null) this.contradict(book, 'severalPositions', at);
      return;
    }
    const isKnown = isSigned || size === 0n;
    if (book.size !== null) {
      const agrees = size === book.size || (!isSigned && size === -book.size);
      const gone = size === 0n ? book.liquidation : null;
      if (agrees) book.checks.agreed += 1;
      else if (gone?.isClear && book.open?.undecided === null) this.liquidate(book, gone.at);
      else {
        book.checks.differed += 1;
        book.differences.push({ from: book.comparedAt, to: at });
        this.contradict(book, gone ? 'liquidatedWithoutTrade' : 'contradicted', at);
      }
    }
    if (book.size === null && isKnown) {
      book.size = size;
      if (size === 0n) this.end(book, null, at);
      else this.unknownOpen(book, at, 'openedBefore');
    }
    book.liquidation = null;
    book.comparedAt = at;
    // A size without its sign may be that of the other direction.
    book.isConfirmed ||= isKnown;
    if (book.isConfirmed) book.unchecked = [];
  }

  private liquidate(book: SymbolBook, time: number): void {
    if (!book.open) return;
    Object.assign(book.open, { closed: time, rpnl: null, isLiquidatedWithoutTrade: true });
    book.size = 0n;
    this.end(book, null, time);
  }

  /** Nothing that was not checked is certain. */
  private contradict(book: SymbolBook, reason: UndecidedPosition, at: number): void {
    for (const position of book.unchecked) position.undecided ??= reason;
    book.unchecked = [];
    this.lose(book, reason, at);
  }

  /** From now on, the size is unknown. */
  private lose(book: SymbolBook, reason: UndecidedPosition, at: number): void {
    this.unknownOpen(book, at, reason);
    book.size = null;
    book.liquidation = null;
  }

  private unknownOpen(book: SymbolBook, at: number, reason: UndecidedPosition): BookPosition {
    book.open ??= newPosition(book.symbol, at);
    book.open.undecided ??= reason;
    return book.open;
  }

  private end(book: SymbolBook, reason: UndecidedPosition | null, at: number): void {
    if (!book.open) return;
    book.open.undecided ??= reason;
    book.open.until = at;
    book.open.orders = book.orderIds.size;
    book.orderIds.clear();
    this.ended.push(book.open);
    book.open = null;
  }

  /** A fill that does not cross zero. */
  private fill(
    book: SymbolBook,
    { price, time, row, orderId, feeAsset }: BookTrade,
    change: bigint,
    fee: bigint | null,
    rpnl: bigint | null,
  ): void {
    const size = book.size ?? 0n;
    const after = size + change;
    book.size = after;
    const open = (book.open ??= newPosition(book.symbol, time));
    const isExit = absolute(after) < absolute(size);
    if (size === 0n) open.isLong = change > 0n;
    const fills = isExit ? open.exit : open.entry;
    const amount = absolute(change);
    fills.amount += amount;
    fills.value = price === null || fills.value === null ? null : fills.value + amount * price;
    if (absolute(after) > open.largest) open.largest = absolute(after);
    open.rpnl = rpnl === null || open.rpnl === null ? null : open.rpnl + rpnl;
    addFee(open, fee, feeAsset);
    if (orderId !== null) book.orderIds.add(orderId);
    open.fills += 1;
    open.lastAt = time;
    if (after !== 0n || size === 0n) return;
    open.closed = time;
    open.closedBy = row;
    if (open.undecided === null) book.unchecked.push(open);
    this.end(book, null, time);
  }
}

function newPosition(symbol: string, opened: number): BookPosition {
  return {
    ...{ symbol, opened, closed: null, lastAt: opened, until: openEnd, undecided: null },
    ...{ isLong: true, largest: 0n, rpnl: 0n, fees: [], orders: 0, fills: 0 },
    entry: { amount: 0n, value: 0n },
    exit: { amount: 0n, value: 0n },
    ...{ closedBy: null, isLiquidatedWithoutTrade: false },
  };
}

function addFee(position: BookPosition, fee: bigint | null, asset: string | null): void {
  if (fee === 0n || position.fees === null) return;
  const known = position.fees.find((each) => each.asset === asset);
  if (fee === null || asset === null) position.fees = null;
  else if (known) known.integer += fee;
  // Without the room that an array keeps when it grows.
  else position.fees = [...position.fees, { asset, integer: fee }];
}

/** The part of a fee that closes `size`, rounded half away from zero. */
function shareOf(fee: bigint, size: bigint, change: bigint): bigint {
  const [part, whole] = [absolute(fee * size), absolute(change)];
  const share = (2n * part + whole) / (2n * whole);
  return fee < 0n ? -share : share;
}

function mayReduce(size: bigint | null, change: bigint | null): boolean {
  return size === null || change === null || size * change < 0n;
}

/** Whether a fill closed something: the result of one that opens or enlarges is 0, or its fee. */
function hasRealised({ rpnl, fee }: BookTrade): boolean {
  if (rpnl === null || rpnl === 0n) return false;
  return fee === null || absolute(rpnl) !== absolute(fee);
}

/** The smallest powers of ten that prices and results are written in. */
function noteSteps(book: SymbolBook, { price, rpnl }: BookTrade, unit: bigint): void {
  book.priceStep = stepOf(price, book.priceStep || unit);
  book.rpnlStep = stepOf(rpnl, book.rpnlStep || unit);
}

function stepOf(value: bigint | null, known: bigint): bigint {
  let step = known;
  while (value !== null && value % step !== 0n) step /= 10n;
  return step;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** By when it ended; an undecided one by any moment at which it may have been open. */
export function liesIn(position: BookPosition, period: Interval): boolean {
  const { opened, closed } = position;
  if (isDecided(position)) return contains(period, closed ?? 0);
  return opened < period.to && lastMomentOf(position) >= period.from;
}

/** The last moment at which it may have been open. */
export function lastMomentOf({ closed, until, undecided }: BookPosition): number {
  return closed ?? (undecided === null ? openEnd : until);
}
