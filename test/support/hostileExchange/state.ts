import { anAccount, someLocked, wire } from '../builders.ts';
import { writeTime } from './dates.ts';
import { byTime, pageText } from './page.ts';
import type { HostileExchangeOptions } from './options.ts';
import { minuteLimit } from './options.ts';
import { defaultReading, type Reading } from './reading.ts';
import { canceledText, objectText, rowsOf, type HistoryName, type Row } from './rows.ts';
import type { SeenOperation } from './seen.ts';

const histories = ['orders', 'trades', 'lots', 'transactions'] as const satisfies HistoryName[];

/** What the server holds, and what it answers from it. */
export class ExchangeState {
  readonly reading: Reading;
  private readonly options: Partial<HostileExchangeOptions>;
  private readonly histories: Record<HistoryName, readonly Row[]>;
  private open: readonly Row[];

  constructor(options: Partial<HostileExchangeOptions>) {
    this.options = options;
    this.reading = { ...defaultReading, ...options.reading };
    this.open = options.openOrders ?? [];
    const given = histories.map((name) => [name, rowsGiven(name, options.rows?.[name])]);
    this.histories = Object.fromEntries(given) as Record<HistoryName, readonly Row[]>;
  }

  get openOrders(): readonly Row[] {
    return this.open;
  }

  now(): number {
    const { now = Date.now, aheadMs = 0 } = this.options;
    return now() + aheadMs;
  }

  rows(history: HistoryName): readonly Row[] {
    return this.histories[history];
  }

  insert(history: HistoryName, rows: readonly Row[]): void {
    this.histories[history] = [...this.histories[history], ...rows].sort(byTime);
  }

  remove(history: HistoryName, isGone: (row: Row) => boolean): void {
    this.histories[history] = this.histories[history].filter((row) => !isGone(row));
  }

  place(order: Row): void {
    this.open = [...this.open, order];
  }

  /** The answer's text; a DELETE acts. Throws a `HttpError`. */
  answer({ operation, query, nth }: SeenOperation): string {
    const given = this.options.answers?.[operation];
    switch (operation) {
      case 'orders':
      case 'trades':
      case 'lots':
      case 'transactions':
        if (given !== undefined) return given;
        return pageText(this.rows(operation), { history: operation, query, nth }, this.reading);
      case 'accounts':
        return given ?? this.account();
      case 'cancelAll':
        return this.cancelAll(given);
      case 'exchangeInfo':
        return given ?? this.information();
      case 'leverage':
      case 'feeTiers':
        return given ?? '[]';
      default:
        return operation satisfies never;
    }
  }

  private account(): string {
    const symbols = this.open.map(({ json }) => String(JSON.parse(json.symbol ?? '""')));
    const orders = [...new Set(symbols)].map((symbol) => someLocked({ symbol }));
    return wire(anAccount({ orders }));
  }

  private cancelAll(given: string | undefined): string {
    const time = writeTime(this.now(), this.reading);
    const canceled = this.open.map((order) => canceledText(order, time));
    this.open = [];
    return given ?? `[${canceled.join(',')}]`;
  }

  private information(): string {
    return objectText({
      rateLimits: this.options.rateLimits ?? minuteLimit(1000),
      timezone: JSON.stringify(this.reading.timezone),
      serverTime: String(this.now()),
      symbols: '[]',
    });
  }
}

function rowsGiven(history: HistoryName, given: number | readonly Row[] = 0): readonly Row[] {
  const rows = typeof given === 'number' ? rowsOf(history, given) : given;
  return rows.toSorted(byTime);
}
