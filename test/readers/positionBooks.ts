import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { negated } from '../../src/base/decimal.ts';
import { minuteMs, secondMs } from '../../src/base/time.ts';
import type { Checkpoint } from '../../src/ledger/ledger.ts';
import { analysisOf, writeLedger } from '../support/analysedLedger.ts';
import { anOrder, aTrade, aTransaction, unknownFees } from '../support/builders.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';

const count = 500;
const start = Date.UTC(2026, 2, 20);
const symbols = ['btc_usdt', 'eth_usdt', 'sol_btc'];
const feeAssets = ['usdt', 'btc', 'bnb'];

/** Random books, each with its rows and what the analysis says of its positions: Python rebuilds them. */
export async function writePositionBooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let seed = 0; seed < count; seed += 1) {
    const book = randomBook(new SeededRandom(`book ${seed}`));
    const file = path.join(folder, 'ledger.sqlite');
    await rm(file, { force: true });
    const ledger = writeLedger(file, book);
    const request = { now: book.now, period: { from: start, to: book.now } };
    const analysis = await analysisOf(ledger, 'positions', request);
    ledger.close();
    await writeFile(
      path.join(folder, `${seed}.json`),
      JSON.stringify({ ...book, period: request.period, analysis }),
    );
  }
}

/** Trades that follow true sizes, and what goes wrong with them. */
function randomBook(random: SeededRandom) {
  const trades: ReturnType<typeof aTrade>[] = [];
  const orders: ReturnType<typeof anOrder>[] = [];
  const transactions: ReturnType<typeof aTransaction>[] = [];
  const checkpoints: Checkpoint[] = [];
  const [isSigned, isFaulty, isNet] = [random.chance(70), random.chance(60), random.chance(20)];
  const sizes = new Map(symbols.map((symbol) => [symbol, random.chance(20) && isFaulty ? 3 : 0]));
  const id = (): string => String(1000 + trades.length + orders.length + transactions.length);
  let now = start + minuteMs;
  const trade = (
    symbol: string,
    change: number,
    fields: Parameters<typeof aTrade>[0] = {},
  ): void => {
    const size = sizes.get(symbol) ?? 0;
    sizes.set(symbol, size + change);
    const closes = size !== 0 && Math.sign(size) !== Math.sign(change);
    const fee = random.chance(10) ? '0' : decimal(random.integer(-20, 99), random.integer(2, 12));
    const opened = isNet ? negated(fee) : '0';
    trades.push(
      aTrade({
        ...{ tradeId: id(), orderId: random.chance(30) ? '7' : id(), symbol, time: String(now) },
        ...{ side: change < 0 ? 'SELL' : 'BUY', amount: decimal(Math.abs(change), 3) },
        price: decimal(random.integer(90_000, 110_000), 3),
        ...{ rpnl: closes ? decimal(random.integer(-9999, 9999), 4) : opened, fee },
        feeAsset: feeAssets[random.chance(80) ? 0 : random.integer(0, 2)] ?? 'usdt',
        ...fields,
      }),
    );
  };
  const check = (change = 0, isHedged = false): void => {
    const written = (size: number): string => decimal(isSigned ? size : Math.abs(size), 3);
    checkpoints.push({
      ...{ sentAt: now, answeredAt: now + random.integer(50, 900), clockErrorMs: 20 },
      ...{ assets: null, equity: null, upl: null, fees: unknownFees },
      positions: [...sizes].flatMap(([symbol, size]) => {
        const all = isHedged ? [size + 1000, -1000] : [size + change];
        const own = all.filter((each) => each !== 0);
        return own.map((each) => {
          return { symbol, marginMode: 'ISOLATED', amount: written(each), basePrice: '1' };
        });
      }),
    });
  };
  const book = (type: string): void => {
    const amount = decimal(random.integer(-500, 200), 3);
    const asset = random.chance(80) ? 'usdt' : 'btc';
    transactions.push(
      aTransaction({ transactionId: id(), type, amount, asset, time: String(now) }),
    );
  };
  const liquidate = (symbol: string): void => {
    const size = sizes.get(symbol) ?? 0;
    if (size === 0) return;
    const order = { orderId: id(), symbol, status: 'LIQUIDATED', time: String(now) };
    const hasTrade = random.chance(50);
    const isOpposite = random.chance(90);
    const side = random.chance(10) ? null : size > 0 === isOpposite ? 'SELL' : 'BUY';
    const filled = decimal(Math.abs(size) + (random.chance(80) ? 0 : 1), 3);
    if (hasTrade || random.chance(60))
      orders.push(anOrder({ ...order, side, filled: random.chance(10) ? null : filled }));
    if (hasTrade) trade(symbol, -size, { orderId: order.orderId });
    else sizes.set(symbol, 0);
    if (random.chance(70)) book('LIQUIDATION_FEE');
    if (random.chance(70)) {
      now += 30 * secondMs;
      check();
    }
  };
  for (let step = random.integer(5, 40); step > 0; step -= 1) {
    now += random.chance(15) ? 0 : random.integer(1, 30) * random.integer(1, 30) * 1000;
    const symbol = symbols[random.integer(0, random.integer(0, 2))] ?? '';
    const size = sizes.get(symbol) ?? 0;
    const roll = random.integer(1, 100);
    if (roll <= 25 && size !== 0) trade(symbol, -size);
    else if (roll <= 35 && size !== 0)
      trade(symbol, -size - Math.sign(size) * random.integer(1, 900));
    else if (roll <= 65) trade(symbol, random.integer(1, 2000) * (random.chance(50) ? 1 : -1));
    else if (roll <= 85) check();
    else if (roll <= 91) book('FUNDING_FEE');
    else if (roll <= 94) liquidate(symbol);
    else if (!isFaulty) check();
    else if (roll <= 95) check(0, true);
    else if (roll <= 97) check(random.integer(1, 5));
    else if (roll <= 98) trade(symbol, 5, { amount: null });
    else if (roll <= 99) trade(symbol, 7, { side: null });
    else trade(symbol, 9, { fee: null, rpnl: null, price: null });
  }
  now += 20 * minuteMs;
  const gap = start + random.integer(1, 99) * Math.floor((now - start) / 100);
  const gapEnd = gap + 10 * minuteMs;
  const whole = [{ from: random.chance(70) ? 0 : start, to: 4e12 }];
  const parted = [
    { from: whole[0]?.from ?? 0, to: gap },
    { from: gapEnd, to: 4e12 },
  ];
  const isParted = isFaulty && random.chance(30) && gapEnd < now;
  const isLost = ({ time }: { readonly time: string }): boolean =>
    isParted && Number(time) >= gap && Number(time) < gapEnd && random.chance(50);
  return {
    now,
    records: {
      trades: trades.filter((each) => !isLost(each)),
      orders,
      futureTransactions: transactions,
    },
    checkpoints,
    complete: { trades: isParted ? parted : whole },
  };
}

/** A whole number with its point moved. */
function decimal(integer: number, decimals: number): string {
  const digits = String(Math.abs(integer)).padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return integer < 0 ? `-${text}` : text;
}
