import type { DatabaseSync } from 'node:sqlite';
import { amountOf, integerAt, less, signOf, textOf, type NumberText } from '../../base/decimal.ts';
import { always, contains, covers, openStart, type Interval } from '../../base/interval.ts';
import { minuteMs } from '../../base/time.ts';
import type { Order } from '../../exchange/records.ts';
import { completeIn, coverageParts, longestUnreadMs } from '../coverage/coverageParts.ts';
import { listedMs } from '../coverage/listedAge.ts';
import type { Checkpoint } from '../ledger.ts';
import { bracketOf, staleBracket } from '../reconciliation/bracket.ts';
import { identityOf } from '../storage/ledgerFile.ts';
import { lastRow, numberOf } from '../storage/sql.ts';
import { groupedSums } from '../storage/sums.ts';
import { TradeReader } from '../storage/tradeReader.ts';
import { WalkStore } from '../storage/walkStore.ts';
import {
  PositionBook,
  type BookCheck,
  type BookPosition,
  type BookTrade,
  type LoneLiquidation,
  type Openings,
} from './positionBook.ts';

export type ReadBook = Pick<PositionBook, 'books'> & {
  /** In the order in which they ended; those that are open come last. */
  readonly positions: readonly BookPosition[];
  /** Decimals of its integers. */
  readonly fraction: number;
};

/** Something that happens between trades: `at` this time, before a trade of the same time. */
type Mark = { readonly at: number; readonly apply: (book: PositionBook) => void };

/** How many checkpoints of a period are tried to know the sizes that it began with. */
const mostTried = 20;

const flat: Openings = { sizes: new Map(), others: 0n, areKnown: false };
const unknown: Openings = { ...flat, others: null };

/** A book that has everything before `until`. */
type KeptBook = {
  readonly book: PositionBook;
  readonly until: number;
  /** What it depends on. */
  readonly basis: string;
  /** Of the trades that were stored then. */
  readonly lastRow: number;
};

/** Rebuilds the positions of a ledger from all trades where they are complete; the next time, from the newer ones. */
export class BookReader {
  private kept: KeptBook | undefined;

  read(database: DatabaseSync, now: number): ReadBook {
    // Each page is read once.
    database.exec('PRAGMA cache_size = -8192');
    const sources = sourcesOf(database, now);
    const { trades, isSigned, spans, lastRow } = sources;
    const undated = undatedSymbols(database);
    const { fraction } = trades;
    const kept = this.kept && isCurrent(database, this.kept, sources) ? this.kept : undefined;
    // One that is not read to its end is of no use.
    this.kept = undefined;
    const book = kept?.book ?? new PositionBook({ fraction, isSigned });
    const { to: until } = spans.at(-1) ?? { to: openStart };
    const marks = marksOf(sources).filter(({ at }) => !kept || at > kept.until);
    const left = marks.values();
    let mark = left.next().value;
    const apply = (to: number): void => {
      for (; mark && mark.at <= to; mark = left.next().value) mark.apply(book);
    };
    for (const trade of tradesOf(trades, { from: kept?.until ?? openStart, to: until }))
      if (spans.some((span) => contains(span, trade.time))) {
        apply(trade.time);
        book.trade(trade);
      }
    apply(Infinity);
    this.kept = { book, until, basis: basisOf(sources, until), lastRow };
    const open = book.open(until >= now - longestUnreadMs);
    // A trade without a readable time may be in any.
    const positions = [...book.ended, ...open].map((each) =>
      undated.has(each.symbol) && each.undecided === null
        ? { ...each, undecided: 'missingTrades' as const }
        : each,
    );
    return { positions, fraction, books: book.books };
  }
}

/** What a book is made of beside its trades. */
type Sources = ReturnType<typeof sourcesOf>;

function sourcesOf(database: DatabaseSync, now: number) {
  // Before the trades: what is stored meanwhile is newer.
  const state = {
    lastRow: lastRow(database, 'trades'),
    changed: numberOf(database, `SELECT count(*) FROM versions WHERE history = 'trades'`),
    unlisted: unlistedTrades(database),
    file: identityOf(database.location() ?? ''),
  };
  const trades = new TradeReader(database);
  const { fraction } = trades;
  const walks = new WalkStore(database);
  const spans = completeIn(
    coverageParts('trades', walks.coverage('trades'), { ...always, to: now }),
  );
  const isSigned = hasSigns(database);
  const checks = checksOf(database, fraction).filter(({ bracket }) => covers(spans, bracket));
  const hints = hintsOf(database).filter(({ at }) => spans.some((span) => contains(span, at)));
  // What is listed for some time only may have begun before.
  const isWhole = listedMs(walks.oldestRows('trades')) === null;
  const openings = spans.map((span) =>
    span.from === openStart && isWhole
      ? flat
      : openingsOf(database, { span, checks, hints, isSigned, fraction }),
  );
  // Nothing is known of a position before this.
  const firstTrade = numberOf(database, `SELECT ifnull(min(time), ${now}) FROM trades`);
  const begins = Math.min(firstTrade, checks[0]?.bracket.from ?? now);
  return { ...state, trades, isSigned, spans, checks, hints, openings, begins };
}

function undatedSymbols(database: DatabaseSync): ReadonlySet<unknown> {
  const sql = 'SELECT DISTINCT symbol FROM trades WHERE time IS NULL AND unlistedSince IS NULL';
  return new Set(
    database
      .prepare(sql)
      .all()
      .map(({ symbol }) => symbol),
  );
}

function unlistedTrades(database: DatabaseSync): unknown {
  const sql = 'SELECT json_group_array(row) AS rows FROM trades WHERE unlistedSince IS NOT NULL';
  return database.prepare(sql).get()?.rows;
}

/** Whether all that was stored since is newer than what a book has. */
function isCurrent(database: DatabaseSync, kept: KeptBook, sources: Sources): boolean {
  const sql = 'SELECT EXISTS (SELECT 1 FROM trades WHERE row > ? AND time < ?)';
  const isOlderStored = numberOf(database, sql, kept.lastRow, kept.until) === 1;
  return !isOlderStored && basisOf(sources, kept.until) === kept.basis;
}

/** All that a book until a moment depends on but for its trades, of which rows may only be added. Checkpoints never change. */
function basisOf(sources: Sources, until: number): string {
  const { file, trades, isSigned, changed, unlisted, spans, openings, checks, hints } = sources;
  return JSON.stringify([
    ...[file, trades.fraction, isSigned, changed, unlisted],
    spans.map(({ from, to }) => [from, Math.min(to, until)]),
    openings.map(({ sizes, others }) => [...[...sizes].flat(), others].map(String)),
    checks.filter(({ bracket }) => bracket.to <= until).length,
    hints.filter(({ at }) => at <= until),
  ]);
}

function marksOf({ spans, openings, checks, hints, begins }: Sources): Mark[] {
  return [
    ...checks.map((check): Mark => ({ at: check.bracket.to, apply: (book) => book.check(check) })),
    ...hints.map((hint): Mark => ({ at: hint.at, apply: (book) => book.liquidation(hint) })),
    ...spans.map(({ from }, index): Mark => {
      const at = from === openStart ? begins : from;
      return { at: from, apply: (book) => book.begin(at, openings[index] ?? unknown) };
    }),
  ].toSorted((one, other) => one.at - other.at);
}

/** Whether an amount of a position was ever below 0. */
function hasSigns(database: DatabaseSync): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM checkpoints WHERE json LIKE '%"amount":"-%') AS found`;
  return database.prepare(sql).get()?.found === 1;
}

/** In the order of the ends of their brackets. */
function checksOf(database: DatabaseSync, fraction: number): BookCheck[] {
  const rows = database
    .prepare(
      `SELECT sentAt, answeredAt, json ->> '$.clockErrorMs' AS clockErrorMs, json -> '$.positions' AS positions
       FROM checkpoints WHERE json ->> '$.positions' IS NOT NULL ORDER BY answeredAt, rowid`,
    )
    .all() as (Pick<Checkpoint, 'sentAt' | 'answeredAt' | 'clockErrorMs'> & {
    positions: string;
  })[];
  // Most have the positions of the one before.
  let [text, sizes] = ['[]', new Map<string, readonly bigint[] | null>()];
  const checks = rows.map(({ positions, ...times }): BookCheck => {
    if (positions !== text) [text, sizes] = [positions, sizesIn(positions, fraction)];
    const { from, to } = staleBracket(bracketOf(times as Checkpoint));
    return { bracket: { from, to }, sizes };
  });
  return checks.toSorted((one, other) => one.bracket.to - other.bracket.to);
}

/** The sizes that are not 0, by symbol. */
function sizesIn(positions: string, fraction: number): Map<string, readonly bigint[] | null> {
  const parsed = JSON.parse(positions) as NonNullable<Checkpoint['positions']>;
  const bySymbol = Map.groupBy(parsed, ({ symbol }) => symbol);
  return new Map(
    [...bySymbol].map(([symbol, own]) => {
      const sizes = own.map(({ amount }) => amount && integerOf(amount, fraction));
      const known = sizes.filter((size) => typeof size === 'bigint');
      return [symbol, known.length < sizes.length ? null : known.filter((size) => size !== 0n)];
    }),
  );
}

/** Null if it has more decimals than any trade. */
function integerOf(text: NumberText, fraction: number): bigint | null {
  const amount = amountOf(text);
  if (amount.fraction <= fraction) return integerAt(amount, fraction);
  const unit = 10n ** BigInt(amount.fraction - fraction);
  return amount.integer % unit === 0n ? amount.integer / unit : null;
}

const liquidated = `FROM orders WHERE status = 'LIQUIDATED' AND unlistedSince IS NULL AND time IS NOT NULL`;

/** What liquidated orders filled without a trade, and liquidation fees without an order or a trade near them. */
export function hintsOf(database: DatabaseSync, { from, to } = always): readonly LoneLiquidation[] {
  const near = (time: string): string =>
    `${time} BETWEEN timeOf - ${minuteMs} AND timeOf + ${minuteMs}`;
  const fees = database
    .prepare(
      `SELECT timeOf AS at FROM (SELECT time AS timeOf FROM futureTransactions
         WHERE type = 'LIQUIDATION_FEE' AND unlistedSince IS NULL AND time >= ? AND time < ?)
       WHERE NOT EXISTS (SELECT 1 FROM trades WHERE ${near('time')})
         AND NOT EXISTS (SELECT 1 ${liquidated} AND ${near('time')})`,
    )
    .all(from, to);
  const orders = database
    .prepare(
      `SELECT time, json FROM (SELECT row, time ${liquidated} AND time >= ? AND time < ?) JOIN ordersJson USING (row)`,
    )
    .all(from, to);
  const reader = new TradeReader(database);
  return [
    ...orders.flatMap(({ time, json }) => {
      const { symbol, side, ...order } = JSON.parse(String(json)) as Order;
      const filled = filledWithoutTrade({ symbol, ...order }, reader);
      return filled === undefined ? [] : [{ at: Number(time), symbol, side, filled }];
    }),
    ...fees.map(({ at }) => ({ at: Number(at), symbol: null, side: null, filled: null })),
  ];
}

/** Null if that is not known, undefined if there is nothing of it. */
function filledWithoutTrade(
  { orderId, symbol, filled }: Pick<Order, 'orderId' | 'symbol' | 'filled'>,
  reader: TradeReader,
): NumberText | null | undefined {
  const trades = reader.ofOrder(orderId).filter((each) => each.symbol === symbol);
  if (filled === null) return trades.length === 0 ? null : undefined;
  const integer = trades.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  const missing = less(amountOf(filled), { integer, fraction: reader.fraction });
  const isUnknown = trades.some(({ amount }) => amount === null);
  return isUnknown || signOf(missing) <= 0 ? undefined : textOf(missing);
}

type Opening = Pick<ReadBook, 'fraction'> & {
  readonly span: Interval;
  readonly checks: readonly BookCheck[];
  readonly hints: readonly LoneLiquidation[];
  readonly isSigned: boolean;
};

/** The sizes that a span begins with: those of a checkpoint in it less what was traded until then. */
function openingsOf(
  database: DatabaseSync,
  { span, checks, hints, isSigned, fraction }: Opening,
): Openings {
  const own = checks.filter(({ bracket }) => covers([span], bracket)).slice(0, mostTried);
  const sizes = new Map<string, bigint | null>();
  const traded = new Map<string, bigint | null>();
  let until = span.from;
  /** Those that every checkpoint so far leaves open; at first, all. */
  let unclearSymbols: readonly string[] | null = null;
  for (const { bracket, sizes: open } of own) {
    addTraded(database, { from: until, to: bracket.from }, traded, fraction);
    until = Math.max(until, bracket.from);
    const unclear = new Map<string, bigint | null>();
    addTraded(database, bracket, unclear, fraction);
    const asked: Iterable<string> =
      unclearSymbols ?? new Set([...traded.keys(), ...open.keys(), ...unclear.keys()]);
    unclearSymbols = [...asked].filter((symbol) => unclear.has(symbol));
    for (const symbol of asked) {
      if (unclear.has(symbol)) continue;
      const ofSymbol = open.has(symbol) ? open.get(symbol) : [];
      const [size = 0n, ...others] = ofSymbol ?? [];
      const isHinted = hints.some(
        (hint) =>
          contains({ from: span.from, to: bracket.to }, hint.at) &&
          (hint.symbol ?? symbol) === symbol,
      );
      const isKnown = ofSymbol && others.length === 0 && (isSigned || size === 0n) && !isHinted;
      const change = traded.has(symbol) ? (traded.get(symbol) ?? null) : 0n;
      sizes.set(symbol, isKnown && change !== null ? size - change : null);
    }
    if (unclearSymbols.length === 0) break;
  }
  for (const symbol of unclearSymbols ?? []) sizes.set(symbol, null);
  return { sizes, others: own.length > 0 ? 0n : null, areKnown: true };
}

/** Adds what was bought less what was sold, by symbol; null if that is unknown. */
function addTraded(
  database: DatabaseSync,
  interval: Interval,
  traded: Map<string, bigint | null>,
  fraction: number,
): void {
  const groups = { symbol: 'symbol', side: 'side', isKnown: 'amount IS NOT NULL' };
  const query = { history: 'trades', field: 'amount', interval, groups } as const;
  for (const { keys, amount } of groupedSums(database, query)) {
    const before = traded.has(keys.symbol) ? (traded.get(keys.symbol) ?? null) : 0n;
    const isKnown = keys.isKnown === '1' && (keys.side === 'BUY' || keys.side === 'SELL');
    const change = integerAt(amount, fraction);
    const after = keys.side === 'BUY' ? change : -change;
    traded.set(keys.symbol, before === null || !isKnown ? null : before + after);
  }
}

/** In the order of time. */
function* tradesOf(trades: TradeReader, { from, to }: Interval): Generator<BookTrade> {
  for (const { amount, side, ...trade } of trades.since(from)) {
    if (trade.time >= to) return;
    yield { ...trade, change: signedChange(amount, side) };
  }
}

function signedChange(amount: bigint | null, side: string | null): bigint | null {
  if (amount === null || (side !== 'BUY' && side !== 'SELL')) return null;
  return side === 'BUY' ? amount : -amount;
}
