import type { DatabaseSync } from 'node:sqlite';
import { amountOf, integerAt, type NumberText } from '../../base/decimal.ts';
import { always, contains, covers, openStart, type Interval } from '../../base/interval.ts';
import { minuteMs } from '../../base/time.ts';
import { completeIn, coverageParts, longestUnreadMs } from '../coverage/coverageParts.ts';
import { listedMs } from '../coverage/listedAge.ts';
import type { Checkpoint } from '../ledger.ts';
import { bracketOf, staleBracket } from '../reconciliation/bracket.ts';
import { groupedSums, notZero } from '../storage/sums.ts';
import { TradeReader } from '../storage/tradeReader.ts';
import { WalkStore } from '../storage/walkStore.ts';
import { PositionBook, type BookCheck, type BookPosition, type BookTrade } from './positionBook.ts';

export type ReadBook = Pick<PositionBook, 'books'> & {
  /** In the order in which they ended; those that are open come last. */
  readonly positions: readonly BookPosition[];
  /** Decimals of its integers. */
  readonly fraction: number;
};

/** Something that happens between trades: `at` this time, before a trade of the same time. */
type Mark = { readonly at: number; readonly apply: (book: PositionBook) => void };

/** A liquidation of which the ledger has no trade; of some symbol if it is null. */
type Hint = { readonly symbol: string | null; readonly at: number };

/** How many checkpoints of a period are tried to know the sizes that it began with. */
const mostTried = 20;

/** The positions of a ledger, rebuilt from all trades where they are complete. */
export function readBook(
  database: DatabaseSync,
  now: number,
  onTrade: (trade: BookTrade) => void = () => undefined,
): ReadBook {
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
  const positions: BookPosition[] = [];
  const onEnd = (position: BookPosition): unknown => positions.push(position);
  const book = new PositionBook({ fraction, isSigned, onEnd });
  const starts = spans.map((span) =>
    span.from === openStart && isWhole
      ? { sizes: new Map<string, bigint>(), others: 0n }
      : openingsOf(database, { span, checks, hints, isSigned, fraction }),
  );
  const marks: Mark[] = [
    ...checks.map((check) => ({ at: check.bracket.to, apply: () => book.check(check) })),
    ...hints.map(({ symbol, at }) => ({ at, apply: () => book.liquidation(symbol, at) })),
    ...spans.flatMap(({ from, to }, index): Mark[] => {
      const { sizes, others } = starts[index] ?? { sizes: new Map<string, bigint>(), others: null };
      const begin = { at: from, apply: () => book.begin(from, sizes, others) };
      const isNow = index === spans.length - 1 && to >= now - longestUnreadMs;
      return isNow ? [begin] : [begin, { at: to, apply: () => book.interrupt() }];
    }),
  ].toSorted((one, other) => one.at - other.at);
  const left = marks.values();
  let mark = left.next().value;
  const apply = (until: number): void => {
    for (; mark && mark.at <= until; mark = left.next().value) mark.apply(book);
  };
  for (const trade of tradesOf(trades)) {
    apply(trade.time);
    if (spans.some((span) => contains(span, trade.time))) book.trade(trade);
    onTrade(trade);
  }
  apply(Infinity);
  book.finish();
  return { positions, fraction, books: book.books };
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
    const own = sizes;
    const { from, to } = staleBracket(bracketOf(times as Checkpoint));
    return {
      bracket: { from, to },
      symbols: own.keys(),
      sizesOf: (symbol) => own.get(symbol) ?? (own.has(symbol) ? null : []),
    };
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

/** Liquidated orders without a trade, and liquidation fees without an order or a trade near them. */
function hintsOf(database: DatabaseSync): readonly Hint[] {
  const near = (time: string): string =>
    `${time} BETWEEN ${time}Of - ${minuteMs} AND ${time}Of + ${minuteMs}`;
  return database
    .prepare(
      `SELECT symbol, time AS at ${liquidated} AND (filled IS NULL OR ${notZero('filled')})
         AND NOT EXISTS (SELECT 1 FROM trades WHERE trades.orderId = orders.orderId AND trades.symbol = orders.symbol)
       UNION ALL SELECT NULL, timeOf FROM (SELECT time AS timeOf FROM futureTransactions
         WHERE type = 'LIQUIDATION_FEE' AND unlistedSince IS NULL AND time IS NOT NULL)
       WHERE NOT EXISTS (SELECT 1 FROM trades WHERE ${near('time')})
         AND NOT EXISTS (SELECT 1 ${liquidated} AND ${near('time')})`,
    )
    .all()
    .map(({ symbol, at }) => ({ symbol: symbol === null ? null : String(symbol), at: Number(at) }));
}

type Opening = Pick<ReadBook, 'fraction'> & {
  readonly span: Interval;
  readonly checks: readonly BookCheck[];
  readonly hints: readonly Hint[];
  readonly isSigned: boolean;
};

/** The sizes that a span begins with: those of a checkpoint in it less what was traded until then. */
function openingsOf(
  database: DatabaseSync,
  { span, checks, hints, isSigned, fraction }: Opening,
): { readonly sizes: Map<string, bigint | null>; readonly others: bigint | null } {
  const own = checks.filter(({ bracket }) => covers([span], bracket)).slice(0, mostTried);
  const sizes = new Map<string, bigint | null>();
  const traded = new Map<string, bigint | null>();
  let until = span.from;
  /** Those that every checkpoint so far leaves open; at first, all. */
  let unclearSymbols: readonly string[] | null = null;
  for (const { bracket, symbols, sizesOf } of own) {
    addTraded(database, { from: until, to: bracket.from }, traded, fraction);
    until = Math.max(until, bracket.from);
    const unclear = new Map<string, bigint | null>();
    addTraded(database, bracket, unclear, fraction);
    const asked: Iterable<string> =
      unclearSymbols ?? new Set([...traded.keys(), ...symbols, ...unclear.keys()]);
    unclearSymbols = [...asked].filter((symbol) => unclear.has(symbol));
    for (const symbol of asked) {
      if (unclear.has(symbol)) continue;
      const [size = 0n, ...others] = sizesOf(symbol) ?? [0n, 0n];
      const isHinted = hints.some(
        (hint) =>
          contains({ from: span.from, to: bracket.to }, hint.at) &&
          (hint.symbol ?? symbol) === symbol,
      );
      const isKnown = others.length === 0 && (isSigned || size === 0n) && !isHinted;
      const change = traded.has(symbol) ? (traded.get(symbol) ?? null) : 0n;
      sizes.set(symbol, isKnown && change !== null ? size - change : null);
    }
    if (unclearSymbols.length === 0) break;
  }
  for (const symbol of unclearSymbols ?? []) sizes.set(symbol, null);
  return { sizes, others: own.length > 0 ? 0n : null };
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
function* tradesOf(trades: TradeReader): Generator<BookTrade> {
  for (const { amount, side, ...trade } of trades.since(-Number.MAX_SAFE_INTEGER))
    yield { ...trade, change: signedChange(amount, side) };
}

function signedChange(amount: bigint | null, side: string | null): bigint | null {
  if (amount === null || (side !== 'BUY' && side !== 'SELL')) return null;
  return side === 'BUY' ? amount : -amount;
}
