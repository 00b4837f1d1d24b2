import type { Interval } from '../../src/base/interval.ts';
import type { Order, Trade, Transaction } from '../../src/exchange/records.ts';
import type { Checkpoint } from '../../src/ledger/ledger.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';
import { unknownFees } from './builders.ts';

/** Amounts are counted in units of the eighth decimal. */
const unit = 100_000_000n;
const start = Date.UTC(2026, 0, 5);
const symbols = ['btc_usdt', 'eth_usdt', 'sol_usdt'] as const;
const assets = ['usdt', 'btc', 'eth'] as const;

/** A change of a balance or a position, when the exchange carries it out: some records are posted later. */
type Change = { readonly subject: string; readonly amount: bigint; readonly at: number };

export type BookedLedger = {
  readonly checkpoints: readonly Checkpoint[];
  readonly orders: readonly Order[];
  readonly trades: readonly Trade[];
  readonly futureTransactions: readonly Transaction[];
  readonly spotTransactions: readonly Transaction[];
  readonly period: Interval;
};

/** How an exchange may differ from one that keeps its books in exact decimals and answers at once. */
export type BookHabits = {
  /** Balances, positions, filled amounts, fees and transfers are computed with doubles, averages too. */
  readonly doubles?: boolean;
  /** Averages are rounded to single precision. */
  readonly singleAverages?: boolean;
  /** Prices are whole numbers, so that some averages are exact in single precision. */
  readonly wholePrices?: boolean;
  /** The figures of an answer are up to this old. */
  readonly staleMs?: number;
  /** Balances are cut to so many decimals. */
  readonly balanceDigits?: number;
  /** There are fees of withdrawals and loans. */
  readonly otherFees?: boolean;
  readonly unsignedShorts?: boolean;
};

/**
 * The books of a made-up exchange with about so many records: trades with their fees and realised profits,
 * funding, rewards and transfers. Some amounts repeat, some records are posted up to five seconds after
 * their effect, and checkpoints have a clock error; rows lie inside the brackets of many.
 */
export function bookedLedger(seed: number, size: number, habits: BookHabits = {}): BookedLedger {
  const books = new Books(new SeededRandom(`${seed}/books`), size, habits);
  return books.ledger();
}

class Books {
  private readonly random: SeededRandom;
  private readonly habits: BookHabits;
  private readonly durationMs: number;
  private readonly tradeCount: number;
  private readonly orders: Order[] = [];
  private readonly trades: Trade[] = [];
  private readonly futureTransactions: Transaction[] = [];
  private readonly spotTransactions: Transaction[] = [];
  private readonly changes: Change[] = [];
  private ids = 1_000_000;

  constructor(random: SeededRandom, size: number, habits: BookHabits) {
    this.random = random;
    this.habits = habits;
    this.tradeCount = Math.round(size / 3.3);
    this.durationMs = this.tradeCount * 260_000;
  }

  ledger(): BookedLedger {
    while (this.trades.length < this.tradeCount) this.trade();
    for (let each = 0; each < this.tradeCount / 12; each++) this.cashFlow();
    if (this.habits.otherFees)
      for (let each = 0; each < this.tradeCount / 30; each++) this.otherFee();
    this.changes.sort((one, other) => one.at - other.at);
    const { orders, trades, futureTransactions, spotTransactions } = this;
    const period = { from: start, to: start + this.durationMs };
    const checkpoints = this.checkpoints();
    return { checkpoints, orders, trades, futureTransactions, spotTransactions, period };
  }

  /** An order with up to four trades at one time. */
  private trade(): void {
    const { random } = this;
    const [time, at] = this.times();
    const symbol = this.oneOf(symbols);
    const side = random.chance(50) ? 'BUY' : 'SELL';
    const orderId = this.nextId();
    let filled = 0n;
    const fills: { readonly amount: number; readonly price: number }[] = [];
    const orderPrice = random.integer(20_000, 60_000);
    for (let left = random.integer(1, 4); left > 0; left--) {
      const amount = BigInt(random.integer(1, 90_000)) * 1000n;
      filled += amount;
      const price = this.fillPrice(orderPrice);
      fills.push({ amount: numberOf(amount), price });
      const fee = random.chance(20) ? 1_000_000n : BigInt(random.integer(-200_000, 900_000_000));
      const rpnl = random.chance(50) ? 0n : BigInt(random.integer(-2_000_000_000, 2_000_000_000));
      this.changes.push({ subject: symbol, amount: side === 'BUY' ? amount : -amount, at });
      this.trades.push({
        tradeId: this.nextId(),
        orderId,
        symbol,
        side,
        maker: false,
        type: 'ORDER_BOOK',
        amount: text(amount),
        price: String(price),
        fee: this.computed(fee),
        rpnl: text(rpnl),
        feeAsset: 'usdt',
        time: String(time),
        extra: {},
      });
      if (rpnl !== 0n) this.book('usdt', 'REALIZED_PL', rpnl, time, at);
      if (fee !== 0n) this.book('usdt', 'FEE', -fee, time, at);
    }
    this.orders.push({
      symbol,
      orderId,
      side,
      amount: text(filled),
      filled: this.habits.doubles
        ? String(totalOf(fills.map((fill) => fill.amount)))
        : text(filled),
      type: 'LIMIT',
      price: String(orderPrice),
      averageExecutionPrice: this.averageOf(fills),
      status: 'EXECUTED',
      clientOrderId: null,
      time: String(time),
      extra: {},
    });
  }

  private fillPrice(orderPrice: number): number {
    const { doubles, singleAverages, wholePrices } = this.habits;
    if (wholePrices) return orderPrice + this.random.integer(0, 3);
    const hasCents = [doubles, singleAverages].includes(true);
    return hasCents ? orderPrice + this.random.integer(0, 99) / 100 : orderPrice;
  }

  private averageOf(fills: readonly { readonly amount: number; readonly price: number }[]): string {
    const [first] = fills;
    if (first && fills.every(({ price }) => price === first.price) && !this.habits.singleAverages)
      return String(first.price);
    const paid = totalOf(fills.map(({ amount, price }) => amount * price));
    const average = paid / totalOf(fills.map(({ amount }) => amount));
    return String(this.habits.singleAverages ? Math.fround(average) : average);
  }

  /** An amount that an exchange may compute with doubles. */
  private computed(amount: bigint): string {
    return this.habits.doubles ? String((numberOf(amount) * 1.1) / 1.1) : text(amount);
  }

  private otherFee(): void {
    const [time, at] = this.times();
    this.book(
      this.oneOf(assets),
      'FEE',
      -100_000n * BigInt(this.random.integer(1, 1000)),
      time,
      at,
    );
  }

  private cashFlow(): void {
    const { random } = this;
    const [time, at] = this.times();
    const asset = this.oneOf(assets);
    const amount = BigInt(random.integer(1, 5000)) * (random.chance(30) ? unit : 12_345n);
    const isTransfer = random.chance(30);
    if (!isTransfer) {
      this.book(asset, this.oneOf(['FUNDING_FEE', 'REWARD'] as const), amount, time, at);
      return;
    }
    const uuid = random.uuid();
    this.book(asset, 'TRANSFER_TO_FUTURE', amount, time, at, uuid);
    const other = this.transaction(asset, 'TRANSFER_TO_FUTURE', -amount, time, uuid);
    this.spotTransactions.push({ ...other, amount: this.computed(-amount) });
  }

  private book(
    asset: string,
    type: Transaction['type'],
    amount: bigint,
    time: number,
    at: number,
    uuid: string | null = null,
  ): void {
    this.changes.push({ subject: asset, amount, at });
    this.futureTransactions.push(this.transaction(asset, type, amount, time, uuid));
  }

  private transaction(
    asset: string,
    type: Transaction['type'],
    amount: bigint,
    time: number,
    transactionUuid: string | null,
  ): Transaction {
    const transactionId = this.nextId();
    return {
      transactionId,
      transactionUuid,
      asset,
      type,
      amount: text(amount),
      time: String(time),
      link: null,
      extra: {},
    };
  }

  /** The time that a record has, and when its effect was. */
  private times(): readonly [time: number, at: number] {
    const at = start + this.random.integer(60_000, this.durationMs - 60_000);
    return [at + (this.random.chance(3) ? this.random.integer(1, 5000) : 0), at];
  }

  private checkpoints(): readonly Checkpoint[] {
    const checkpoints: Checkpoint[] = [];
    const totals = new Map<string, bigint>(assets.map((asset) => [asset, 0n]));
    const doubles = new Map<string, number>();
    const { staleMs = 0 } = this.habits;
    let [next, free] = [0, start];
    for (const sent of this.requestTimes()) {
      if (sent < free) continue;
      const answered = sent + this.random.integer(5, 900);
      const stateAt = this.random.integer(sent, answered);
      const readAt = staleMs > 0 ? stateAt - this.random.integer(0, staleMs) : stateAt;
      for (; (this.changes[next]?.at ?? Infinity) <= readAt; next++) {
        const { subject = '', amount = 0n } = this.changes[next] ?? {};
        totals.set(subject, (totals.get(subject) ?? 0n) + amount);
        doubles.set(subject, (doubles.get(subject) ?? 0) + numberOf(amount));
      }
      const figure = (subject: string): string =>
        this.habits.doubles ? String(doubles.get(subject) ?? 0) : text(totals.get(subject) ?? 0n);
      checkpoints.push(this.checkpoint(sent, answered, figure));
      free = answered + 1;
    }
    return checkpoints;
  }

  /** Most requests are the poll after a change; many are under way while it happens. */
  private requestTimes(): readonly number[] {
    const { random, durationMs } = this;
    const count = Math.round(this.tradeCount / 8);
    return Array.from({ length: count }, () => {
      const change = this.changes[random.integer(0, this.changes.length - 1)]?.at ?? start;
      if (random.chance(30)) return change - random.integer(0, 600);
      if (random.chance(60)) return change + random.integer(1, 5000);
      return start + random.integer(1000, durationMs - 10_000);
    }).sort((one, other) => one - other);
  }

  private checkpoint(
    sent: number,
    answered: number,
    figure: (subject: string) => string,
  ): Checkpoint {
    const clockErrorMs = this.random.integer(0, 250);
    const error = this.random.integer(-clockErrorMs, clockErrorMs);
    const { balanceDigits, unsignedShorts } = this.habits;
    const positions = symbols.filter((symbol) => figure(symbol) !== '0');
    const balance = (asset: string): string => {
      if (balanceDigits === undefined) return figure(asset);
      const [whole = '', decimals = ''] = figure(asset).split('.');
      return this.habits.doubles
        ? String(Number(Number(figure(asset)).toFixed(balanceDigits)))
        : `${whole}.${decimals.padEnd(balanceDigits, '0').slice(0, balanceDigits)}`;
    };
    const amount = (symbol: string): string =>
      unsignedShorts ? figure(symbol).replace('-', '') : figure(symbol);
    return {
      sentAt: sent + error,
      answeredAt: answered + error,
      clockErrorMs,
      fees: unknownFees,
      assets: assets.map((name) => ({ name, deposited: balance(name), margin: '0', locked: '0' })),
      positions: positions.map((symbol) => ({
        symbol,
        marginMode: 'ISOLATED',
        amount: amount(symbol),
        basePrice: '1',
      })),
      equity: null,
      upl: null,
    };
  }

  private oneOf<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.random.integer(0, values.length - 1)] ?? values[0];
  }

  private nextId(): string {
    return String(this.ids++);
  }
}

function text(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(9, '0');
  const fraction = digits.slice(-8).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -8)}${fraction && `.${fraction}`}`;
}

function numberOf(amount: bigint): number {
  return Number(text(amount));
}

function totalOf(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
