import { dayMs, hourMs, type Clock } from '../../src/base/time.ts';
import { autoConventions } from '../../src/exchange/history/apiConventions.ts';
import { commitDelayMs } from '../../src/exchange/history/readToEnd.ts';
import type { Fetch } from '../../src/exchange/http/fetch.ts';
import { coverageParts } from '../../src/ledger/coverage/coverageParts.ts';
import { aPosition } from './builders.ts';
import { eventually } from './eventually.ts';
import { minuteLimit } from './hostileExchange/options.ts';
import { FileLedger } from './fileLedger.ts';
import { SyncedLedger } from './syncedLedger.ts';

/** A trade, or an order, which changes: then `filled` grows. */
export type ScriptedRow = {
  readonly id: string;
  readonly symbol: string;
  readonly time: number;
  /** When the exchange begins to list it. */
  readonly listedAt: number;
  filled: number;
};

export type ScriptedExchange = {
  readonly history: 'trades' | 'orders';
  readonly order: 'newestFirst' | 'oldestFirst' | 'none';
  readonly totals: 'honest' | 'absent' | 'ofPage';
  /** The most rows of a page, for each request. */
  readonly pageRows: () => number;
  /** The most rows that it gives of one question, whatever page is asked for. */
  readonly depth: number;
  /** How many days from its start a question without an end is answered for, and one with an end. */
  readonly daysWithoutEnd: number;
  readonly daysWithEnd: number;
  /** Which ends of a question it refuses. */
  readonly refuses: 'none' | 'endsAhead' | 'ends';
  readonly hasServerTime: boolean;
  /** By how much `Date` differs from its time; null if it sends none. */
  readonly dateByMs: number | null;
};

const honest: ScriptedExchange = {
  history: 'trades',
  order: 'newestFirst',
  totals: 'honest',
  pageRows: () => 500,
  depth: Infinity,
  daysWithoutEnd: Infinity,
  daysWithEnd: Infinity,
  refuses: 'none',
  hasServerTime: true,
  dateByMs: 0,
};

/** What a comparison of the ledger with the exchange found, in the periods that the ledger calls complete. */
export type LedgerFigures = {
  readonly checks: number;
  readonly lost: number;
  readonly doubled: number;
  /** Whether a period is complete later than the exchange's time. */
  readonly isTooLate: boolean;
  /** How long ago the newest complete period ends. */
  readonly behindMs: number;
};

/** A ledger, its synchronisation, and an exchange in this process that has the habits of a test. */
export class ScriptedLedger {
  exchange: ScriptedExchange;
  readonly rows: ScriptedRow[] = [];
  readonly ledger: FileLedger;
  onRequest: () => void = () => undefined;
  /** The exchange's time, and what this machine's clocks show in addition. */
  now = Date.UTC(2026, 5, 1);
  private wallMs = 0;
  private steadyMs = 5 * hourMs - this.now;
  private amount = 1;
  world: SyncedLedger;

  constructor(habits: Partial<ScriptedExchange> = {}, ledger = new FileLedger()) {
    this.ledger = ledger;
    this.exchange = { ...honest, ...habits };
    this.world = this.open();
  }

  /** Time passes for both. */
  pass(ms: number): void {
    this.now += ms;
  }

  /** Somebody sets this machine's clock. */
  setClock(ms: number): void {
    this.wallMs += ms;
  }

  /** This machine is suspended: its clocks stand still. */
  suspend(ms: number): void {
    this.now += ms;
    this.steadyMs -= ms;
    this.wallMs -= ms;
  }

  add(fields: Partial<ScriptedRow> = {}): void {
    const time = fields.time ?? this.now;
    const id = String(this.rows.length + 1);
    this.rows.push({ id, symbol: 'btc_usdt', time, listedAt: time, filled: 1, ...fields });
  }

  /** Rows up to now. */
  addEvery(ms: number, count: number): void {
    for (let left = count - 1; left >= 0; left -= 1) this.add({ time: this.now - left * ms });
  }

  /** The window is closed, and another one goes on. */
  reopen(): void {
    this.world.current.dispose();
    this.ledger.beforeCall = () => undefined;
    this.world = this.open();
  }

  async download(): Promise<void> {
    await this.world.downloadAll({ period: 'everything', histories: [this.exchange.history] });
  }

  refresh(): Promise<void> {
    return this.world.current.refresh([this.exchange.history]);
  }

  /** The account changed, and all that follows is read. */
  async change(): Promise<void> {
    const { current, walks } = this.world;
    const positions = [aPosition({ amount: String((this.amount += 1)) })];
    current.take(this.world.accountRead({ positions }));
    await eventually('no read', () => !current.isReading, { everyMs: 1 });
    await walks.run(new AbortController().signal);
  }

  async check(): Promise<LedgerFigures> {
    const { history } = this.exchange;
    const whole = { from: 0, to: this.now + 400 * dayMs };
    const parts = coverageParts(history, await this.ledger.coverage(history), whole);
    const complete = parts.filter(({ completeness }) => completeness === 'complete');
    const due = this.rows.filter(({ time }) =>
      complete.some(({ from, to }) => time >= from && time < to),
    );
    const stored = Map.groupBy(this.ledger.records(history), (record) => {
      const [id, symbol] = 'tradeId' in record ? [record.tradeId, record.symbol] : [];
      return 'status' in record ? `${record.orderId} ${record.symbol}` : `${id} ${symbol}`;
    });
    const behindMs = this.now - (complete.at(-1)?.to ?? 0);
    return {
      checks: due.length,
      lost: due.filter(({ id, symbol }) => !stored.has(`${id} ${symbol}`)).length,
      doubled: [...stored.values()].filter(({ length }) => length > 1).length,
      isTooLate: behindMs < commitDelayMs,
      behindMs,
    };
  }

  private open(): SyncedLedger {
    // It times only deadlines and pauses after failures, of which this exchange has none.
    const clock: Clock = {
      now: () => this.now + this.wallMs,
      steadyNow: () => this.now + this.steadyMs,
      after: () => () => undefined,
    };
    const after = (ms: number, callback: () => void) => {
      const timer = setImmediate(() => {
        this.pass(ms);
        callback();
      });
      return () => clearImmediate(timer);
    };
    const dialect = { ...autoConventions, dates: 'epochMs', firstPage: 0 } as const;
    const { ledger, answer: fetch } = this;
    const others = {
      ledger,
      clock,
      budgetClock: { ...clock, now: () => this.now + this.steadyMs, after },
    };
    const target = { url: 'http://127.0.0.1:1' };
    return new SyncedLedger(target, { ...others, client: { dialect, fetch } });
  }

  private readonly answer: Fetch = (url) => {
    this.onRequest();
    const { pathname, searchParams } = new URL(url);
    const body = pathname.endsWith('exchangeInfo') ? this.information() : this.page(searchParams);
    const { dateByMs } = this.exchange;
    const headers = new Headers({ 'content-type': 'application/json' });
    if (dateByMs !== null) headers.set('date', new Date(this.now + dateByMs).toUTCString());
    const status = body === undefined ? 400 : 200;
    const { body: stream } = new Response(body ?? '{"message":"This period is not accepted."}');
    return Promise.resolve({ status, headers, body: stream });
  };

  private information(): string {
    const time = this.exchange.hasServerTime ? `"serverTime":${this.now},` : '';
    return `{${time}"rateLimits":${minuteLimit(1e9)},"timezone":"UTC","symbols":[]}`;
  }

  /** Undefined if it is refused. */
  private page(query: URLSearchParams): string | undefined {
    const { order, totals, pageRows, depth } = this.exchange;
    const { daysWithEnd, daysWithoutEnd, refuses } = this.exchange;
    const from = Number(query.get('dateFrom') ?? -Infinity);
    const end = query.get('dateTo');
    const isRefused = end !== null && (refuses === 'ends' || Number(end) > this.now);
    if (refuses !== 'none' && isRefused) return undefined;
    const mostMs = (end === null ? daysWithoutEnd : daysWithEnd) * dayMs;
    const to = Math.min(Number(end ?? Infinity), from === -Infinity ? Infinity : from + mostMs);
    const sign = order === 'newestFirst' ? -1 : 1;
    const placeOf = ({ id, time }: ScriptedRow) =>
      order === 'none' ? (Number(id) * 7919) % 1009 : sign * time;
    const found = this.rows
      .filter(({ time, listedAt }) => listedAt <= this.now && time >= from && time <= to)
      .toSorted((one, other) => placeOf(one) - placeOf(other));
    const size = Math.min(Number(query.get('size')), pageRows());
    const begin = Number(query.get('page')) * size;
    const content = found.slice(0, depth).slice(begin, begin + size);
    const counts = { honest: found.length, absent: null, ofPage: content.length };
    const rows = content.map((row) => this.text(row)).join(',');
    return `{"content":[${rows}],"size":${size},"totalPages":1,"totalElements":${counts[totals]}}`;
  }

  private text({ id, symbol, time, filled }: ScriptedRow): string {
    const both = `"symbol":"${symbol}","price":100,"side":"BUY","time":${time}`;
    return this.exchange.history === 'orders'
      ? `{"orderId":${id},${both},"amount":9,"filled":${filled},"averageExecutionPrice":1,"clientOrderId":null,"type":"LIMIT","status":"EXECUTED"}`
      : `{"tradeId":${id},${both},"orderId":1,"amount":1,"maker":false,"fee":0.1,"rpnl":0,"feeAsset":"usdt","type":"ORDER_BOOK"}`;
  }
}
