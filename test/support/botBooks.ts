import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { difference, negated, product, quotient, sum } from '../../src/base/decimal.ts';
import { hourMs, secondMs } from '../../src/base/time.ts';
import type { Cause } from '../../src/ledger/comparison/comparison.ts';
import type { BotSource } from '../../src/ledger/comparison/botFile.ts';
import { guessMapping } from '../../src/ledger/comparison/mapping.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';
import { anOrder, aTrade, aTransaction } from './builders.ts';
import { freqtradeDatabase } from './freqtradeDatabase.ts';
import { ledgerInThisThread, saveRecords } from './ledgerUnderTest.ts';

/** A book of a bot and the exchange's records of the same orders, with one fault or none. */

type Fill = {
  tradeId: string;
  amount: string;
  price: string;
  fee: string;
  feeAsset: string;
  rpnl: string;
  time: number;
};
type Order = {
  orderId: string;
  clientOrderId: string;
  symbol: string;
  side: 'BUY' | 'SELL';
  status: string;
  fills: Fill[];
};
type Payment = { id: string; time: number; amount: string };
/** Its profit is without fees and funding. */
type Position = { entry: Order; exit: Order; funding: Payment[]; profit: number };

const symbols = [
  { symbol: 'btc_usdt', size: 3, price: 1, from: 600_000, to: 700_000 },
  { symbol: 'eth_usdt', size: 4, price: 2, from: 300_000, to: 400_000 },
  { symbol: 'sol_usdt', size: 2, price: 3, from: 150_000, to: 200_000 },
  { symbol: 'doge_usdt', size: 0, price: 5, from: 10_000, to: 20_000 },
] as const;
const startMs = Date.UTC(2026, 2, 20);
const positions = 250;
const fundingEveryMs = 8 * hourMs;

export const bookFormats = ['freqtrade', 'hummingbot', 'csv', 'jsonl', 'withoutIds'] as const;
export type BookFormat = (typeof bookFormats)[number];

/** In the first order of the book, or in one that is neither among the first nor the last ones. */
export type FaultPlace = 'first' | 'within';

export type WrittenBook = {
  readonly source: BotSource;
  readonly ledger: string;
  /** The order of the fault, where the first divergent row is; null if there is none. */
  readonly faultyOrder: string | null;
};

/** Writes a book into `file`, and its ledger, which is complete, beside it. */
export function writeBook(
  file: string,
  format: BookFormat,
  seed: number,
  cause: Cause | null,
  place: FaultPlace = 'within',
): WrittenBook {
  const random = new SeededRandom(`book ${format} ${seed} ${cause}`);
  const exchange = madePositions(random);
  const bot = structuredClone(exchange);
  const extra: Order[] = [];
  const zone = new Map<string, number>();
  const faultyOrder = cause && putFault(cause, { random, exchange, bot, extra, zone, place });
  const columns = writers[format](file, bot, zone, random);
  return {
    source: { file, table: null, mapping: columns && guessMapping(columns) },
    ledger: writeLedger(`${file}.ledger`, exchange, extra, seed % 4 === 1),
    faultyOrder,
  };
}

function madePositions(random: SeededRandom): Position[] {
  let [at, id] = [startMs, 1000];
  return Array.from({ length: positions }, () => {
    const market = symbols[random.integer(0, symbols.length - 1)] ?? symbols[0];
    at += random.integer(1, 4 * 3600) * secondMs;
    const end = at + random.integer(2, 30) * hourMs + random.integer(0, 3600) * secondMs;
    const shares = [random.integer(1, 900), random.integer(1, 900), random.integer(1, 900)];
    const order = (side: Order['side'], time: number): Order => ({
      orderId: String(id++),
      clientOrderId: `bot-${random.integer(1, 1e9)}-${id}`,
      ...{ symbol: market.symbol, side, status: 'EXECUTED' },
      fills: shares.map((share, index) => {
        const amount = quotient(String(share), String(10 ** market.size));
        const price = quotient(
          String(random.integer(market.from, market.to)),
          String(10 ** market.price),
        );
        return {
          ...{ tradeId: String(id++), amount, price, feeAsset: 'usdt' },
          fee: rounded(product(product(amount, price), '0.0005'), 8),
          rpnl:
            side === 'BUY'
              ? '0'
              : rounded(product(amount, String(random.integer(-999, 999) / 100)), 8),
          time: time + index * secondMs + random.integer(0, 999),
        };
      }),
    });
    const funding: Payment[] = [];
    for (
      let due = Math.ceil(at / fundingEveryMs) * fundingEveryMs;
      due < end - hourMs;
      due += fundingEveryMs
    )
      if (due > at + hourMs)
        funding.push({
          id: String(id++),
          time: due + random.integer(0, 1999),
          amount: quotient(String(random.integer(-99_999, 99_999)), '100000'),
        });
    const [entry, exit] = [order('BUY', at), order('SELL', end)];
    const [open, close] = [floats(entry.fills), floats(exit.fills)];
    return { entry, exit, funding, profit: open.pnl - open.fee + close.pnl - close.fee };
  });
}

function rounded(text: string, decimals: number): string {
  return quotient(String(Math.round(Number(text) * 10 ** decimals)), String(10 ** decimals));
}

type Faulty = {
  readonly random: SeededRandom;
  readonly exchange: Position[];
  readonly bot: Position[];
  readonly extra: Order[];
  readonly zone: Map<string, number>;
  readonly place: FaultPlace;
};

/** Returns the id of the order that it is about. */
function putFault(
  cause: Cause,
  { random, exchange, bot, extra, zone, place }: Faulty,
): string | null {
  const index = random.integer(5, positions - 10);
  const [position, truth] =
    place === 'first' ? [bot[0], exchange[0]] : [bot[index], exchange[index]];
  if (!position || !truth) throw new Error('no position');
  const isEntry = random.integer(0, 1) === 0 || place === 'first';
  const order = isEntry ? position.entry : position.exit;
  const [first, , last] = order.fills;
  if (!first || !last) throw new Error('no fill');
  const withFunding = bot.filter(({ funding }) => funding.length > 0);
  const paid = withFunding[random.integer(2, withFunding.length - 3)] ?? position;
  switch (cause) {
    case 'multiplier':
      for (const fill of order.fills) fill.amount = product(fill.amount, '0.01');
      return order.orderId;
    case 'fillTwice':
      order.fills.push({ ...last });
      return order.orderId;
    case 'missingFill':
      order.fills.pop();
      return order.orderId;
    case 'afterStop': {
      const end = Math.max(...exchange.map(({ exit }) => exit.fills.at(-1)?.time ?? 0));
      const [own, theirs] = [bot.at(-1)?.exit, exchange.at(-1)?.exit];
      if (!own || !theirs) throw new Error('no order');
      own.fills.splice(1);
      for (const fill of theirs.fills.slice(1)) fill.time += end - fill.time + hourMs;
      return own.orderId;
    }
    case 'manual':
    case 'liquidation': {
      const status = cause === 'manual' ? 'EXECUTED' : 'LIQUIDATED';
      const fills = order.fills.map((fill) => ({ ...fill, tradeId: `9${fill.tradeId}` }));
      for (const fill of fills) fill.time += 1234;
      extra.push({
        ...order,
        orderId: `9${order.orderId}`,
        clientOrderId: 'by hand',
        status,
        fills,
      });
      return `9${order.orderId}`;
    }
    case 'fundingTwice':
    case 'fundingMissing':
      if (cause === 'fundingMissing') paid.funding.shift();
      else paid.funding.push(...structuredClone(paid.funding.slice(0, 1)));
      return null;
    case 'feeAsset':
      for (const fill of order.fills) Object.assign(fill, { feeAsset: 'bnb', fee: '0.0123' });
      return order.orderId;
    case 'feeSign':
      for (const fill of order.fills) fill.fee = negated(fill.fee);
      return order.orderId;
    case 'zone':
      zone.set(order.orderId, random.integer(1, 9) * hourMs);
      return order.orderId;
    case 'rounding':
      for (const fill of order.fills) fill.fee = rounded(fill.fee, 3);
      return order.orderId;
  }
}

function writeLedger(
  file: string,
  exchange: readonly Position[],
  extra: readonly Order[],
  arePaidFeesNegative: boolean,
): string {
  const all = [...exchange.flatMap(({ entry, exit }) => [entry, exit]), ...extra];
  const orders = all.map(({ orderId, clientOrderId, symbol, side, status, fills }) =>
    anOrder({
      ...{ orderId, clientOrderId, symbol, side, status, averageExecutionPrice: null },
      time: String(fills[0]?.time),
      filled: sum(fills.map(({ amount }) => amount)),
    }),
  );
  const trades = all.flatMap(({ orderId, symbol, side, fills }) =>
    fills.map((fill) => {
      const fee = arePaidFeesNegative ? negated(fill.fee) : fill.fee;
      return aTrade({ ...fill, fee, orderId, symbol, side, time: String(fill.time) });
    }),
  );
  const payments = exchange.flatMap(({ funding }) =>
    funding.map(({ id, time, amount }) => {
      const payment = { transactionId: id, amount, time: String(time), asset: 'usdt' };
      return aTransaction({ ...payment, type: 'FUNDING_FEE' });
    }),
  );
  const ledger = ledgerInThisThread({ file });
  ledger.keepSymbols(
    symbols.map(({ symbol }) => ({ symbol, marginAsset: 'usdt', quoteAsset: 'usdt' })),
  );
  saveRecords(ledger, 'orders', orders);
  saveRecords(ledger, 'trades', trades);
  saveRecords(ledger, 'futureTransactions', payments);
  ledger.close();
  return file;
}

type Write = (
  file: string,
  bot: readonly Position[],
  zone: ReadonlyMap<string, number>,
  random: SeededRandom,
) => readonly string[] | null;

/** Sums and averages as a program with floats makes them. */
function floats(fills: readonly Fill[]) {
  const add = (figure: (fill: Fill) => string): number =>
    fills.reduce((total, fill) => total + Number(figure(fill)), 0);
  const amount = add((fill) => fill.amount);
  const notional = fills.reduce(
    (total, fill) => total + Number(fill.amount) * Number(fill.price),
    0,
  );
  return {
    amount,
    average: notional / amount,
    fee: add((fill) => fill.fee),
    pnl: add((fill) => fill.rpnl),
  };
}

function pairOf(symbol: string, separator: string): string {
  return symbol.toUpperCase().replace('_', separator);
}

function naive(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '000');
}

const writeFreqtrade: Write = (file, bot, zone) => {
  const { addTrade, addOrder, close } = freqtradeDatabase(file);
  const assetOf = (own: Order): string => (own.fills[0]?.feeAsset ?? '').toUpperCase();
  for (const [index, { entry, exit, funding, profit }] of bot.entries()) {
    const paid = funding.reduce((total, { amount }) => total + Number(amount), 0);
    const pair = `${pairOf(entry.symbol, '/')}:USDT`;
    addTrade({
      ...{ id: index + 1, pair, stake_currency: 'USDT', is_short: 0, leverage: 1 },
      ...{ fee_open_cost: floats(entry.fills).fee, fee_open_currency: assetOf(entry) },
      ...{ fee_close_cost: floats(exit.fills).fee, fee_close_currency: assetOf(exit) },
      // A fee that was noted wrongly does not change the profit, which the bot works out by itself.
      ...{ close_profit_abs: profit + paid, funding_fees: paid },
      ...{ open_date: naive(entry.fills[0]?.time ?? 0), close_date: naive(lastTime(exit)) },
    });
    for (const own of [entry, exit]) {
      const { amount, average } = floats(own.fills);
      const time = naive(lastTime(own) + (zone.get(own.orderId) ?? 0));
      addOrder({
        ...{ ft_trade_id: index + 1, ft_pair: pair, order_id: own.orderId },
        ...{ side: own.side.toLowerCase(), average, filled: amount, order_filled_date: time },
      });
    }
  }
  close();
  return null;
};

function lastTime({ fills }: Order): number {
  return fills.at(-1)?.time ?? 0;
}

const writeHummingbot: Write = (file, bot, zone) => {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA synchronous = OFF; BEGIN;
    CREATE TABLE "Order" (id TEXT PRIMARY KEY, symbol TEXT, exchange_order_id TEXT);
    CREATE TABLE TradeFill (market TEXT, symbol TEXT, base_asset TEXT, quote_asset TEXT, timestamp BIGINT, order_id TEXT,
      trade_type TEXT, price BIGINT, amount BIGINT, trade_fee JSON, exchange_trade_id TEXT);
    CREATE TABLE FundingPayment (timestamp BIGINT, market TEXT, symbol TEXT, rate FLOAT, amount FLOAT);`);
  const order = database.prepare('INSERT INTO "Order" VALUES (?, ?, ?)');
  const fill = database.prepare(
    `INSERT INTO TradeFill VALUES ('x', ?, 'b', 'USDT', ?, ?, ?, ?, ?, ?, ?)`,
  );
  const payment = database.prepare(`INSERT INTO FundingPayment VALUES (?, 'x', ?, 0.1, ?)`);
  const millionths = (text: string): number => Math.trunc(Number(product(text, '1000000')));
  for (const { entry, exit, funding } of bot) {
    for (const own of [entry, exit]) {
      const pair = pairOf(own.symbol, '-');
      order.run(own.clientOrderId, pair, own.orderId);
      for (const each of own.fills) {
        const fee = {
          ...{ fee_type: 'AddedToCost', percent: '0', percent_token: null },
          flat_fees: [{ token: each.feeAsset.toUpperCase(), amount: each.fee }],
        };
        fill.run(
          ...[pair, each.time + (zone.get(own.orderId) ?? 0), own.clientOrderId, own.side],
          ...[millionths(each.price), millionths(each.amount), JSON.stringify(fee), each.tradeId],
        );
      }
    }
    for (const { time, amount } of funding)
      payment.run(time, pairOf(entry.symbol, '-'), Number(amount));
  }
  database.exec('COMMIT');
  database.close();
  return null;
};

/** Local times of Berlin, where clocks change on 29 March, one symbol in contracts, half of the books with net P&L. */
const writeCsv: Write = (file, bot, zone, random) => {
  const isNet = random.integer(0, 1) === 0;
  const summer = Date.UTC(2026, 2, 29, 1);
  const header =
    'Trade ID,Order ID,Symbol,Side,Quantity,Price,Commission,Commission Asset,Date,Realized PNL';
  const lines = ordersOf(bot).flatMap((own) =>
    own.fills.map((fill) => {
      const time = fill.time + (fill.time < summer ? 1 : 2) * hourMs + (zone.get(own.orderId) ?? 0);
      const contracts = own.symbol.startsWith('sol') ? quotient(fill.amount, '10') : fill.amount;
      const pnl = isNet ? difference(fill.rpnl, fill.fee) : fill.rpnl;
      return [
        ...[fill.tradeId, own.orderId, pairOf(own.symbol, ''), own.side.toLowerCase(), contracts],
        ...[fill.price, fill.fee, fill.feeAsset.toUpperCase(), naive(time).slice(0, 23), pnl],
      ].join(',');
    }),
  );
  writeFileSync(file, [header, ...lines, ''].join('\n'));
  return header.split(',');
};

function jsonLinesWriter(hasIds: boolean): Write {
  return (file, bot, zone, random) => {
    const lines = ordersOf(bot).flatMap((own) =>
      own.fills.map((fill) => {
        const noise = random.integer(0, 1) === 0 ? 1 + Number.EPSILON : 1;
        return JSON.stringify({
          ...(hasIds && { trade_id: Number(fill.tradeId), order: own.orderId }),
          ...{ symbol: `${pairOf(own.symbol, '/')}:USDT`, side: own.side.toLowerCase() },
          ...{ amount: Number(fill.amount) * noise, price: Number(fill.price) },
          fee: { cost: Number(fill.fee), currency: fill.feeAsset.toUpperCase() },
          timestamp: fill.time + (zone.get(own.orderId) ?? 0),
        });
      }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    const ids = hasIds ? ['trade_id', 'order'] : [];
    return [...ids, 'symbol', 'side', 'amount', 'price', 'fee.cost', 'fee.currency', 'timestamp'];
  };
}

function ordersOf(bot: readonly Position[]): Order[] {
  return bot.flatMap(({ entry, exit }) => [entry, exit]);
}

const writers: Readonly<Record<BookFormat, Write>> = {
  freqtrade: writeFreqtrade,
  hummingbot: writeHummingbot,
  csv: writeCsv,
  jsonl: jsonLinesWriter(true),
  withoutIds: jsonLinesWriter(false),
};
