import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { always, openStart } from '../../src/base/interval.ts';
import type { CancelAll } from '../../src/account/cancelAll/cancelAll.ts';
import type { Receipt, ReceiptStore } from '../../src/account/cancelAll/receipts.ts';
import type { Refresher } from '../../src/account/session/refresher.ts';
import { DisposableStore, type Disposable } from '../../src/base/disposable.ts';
import { systemClock } from '../../src/base/time.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import { historySource } from '../../src/exchange/history/source.ts';
import type { WalkCursor } from '../../src/exchange/history/walk/cursor.ts';
import { walk } from '../../src/exchange/history/walk/walk.ts';
import {
  fetchers,
  type Fetch,
  type FetcherName,
  type FetchRequest,
} from '../../src/exchange/http/fetch.ts';
import type { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { cancelAllOverHttp } from './cancelAllOverHttp.ts';
import { receiptsInMemory } from './cancelAllUnderTest.ts';
import { clientFor } from './exchangeClient.ts';
import type { HostileExchange } from './hostileExchange.ts';
import type { Fault } from './hostileExchange/faults.ts';
import { rowsOf } from './hostileExchange/rows.ts';
import { idOf } from './recordIds.ts';

/** For every request, so that stalled answers end soon. */
const deadlineMs = 1000;

const status = (code: number, message: string, headers = {}): Fault => ({
  kind: 'status',
  status: code,
  headers,
  body: JSON.stringify({ message }),
});
const inASecond = { 'retry-after': '1' };

/** Every way in which an exchange fails, over and over. Its pauses are short: those of a minute would be the end. */
export const faults: readonly Fault[] = [
  { kind: 'resetBeforeHeaders' },
  { kind: 'resetMidBody' },
  { kind: 'stallBeforeHeaders' },
  { kind: 'stallMidBody' },
  { kind: 'wrongLength', byBytes: 5 },
  { kind: 'wrongLength', byBytes: -5 },
  { kind: 'slowDrip', everyMs: 2, bytes: 50 },
  { kind: 'slowDrip', everyMs: 50, bytes: 1 },
  { kind: 'cutJson' },
  { kind: 'html' },
  { kind: 'emptyBody' },
  { kind: 'deepNesting', depth: 100_000 },
  { kind: 'hugeString', megabytes: 10 },
  { kind: 'gzipBomb', megabytes: 40 },
  { kind: 'body', text: '{"code":7,"msg":"nothing was done"}' },
  { kind: 'body', text: '{"content":null,"orders":null}' },
  ...[301, 302, 303, 307, 308].map((code): Fault => ({
    kind: 'redirect',
    to: 'http://127.0.0.1:9/elsewhere',
    status: code,
  })),
  // Not 421 to a read: `fetch` retries it automatically, before its weight can be reserved.
  ...[401, 403, 408, 425, 500, 502, 503, 504].map((code) => status(code, 'out of order')),
  status(401, 'The timestamp is outside of the window'),
  ...[418, 429, 503].map((code) => status(code, 'a pause', inASecond)),
  status(403, 'Too many requests', inASecond),
];

/** Answers that a walk takes for the end of the pages, so they are no failure of a history. */
export const refusals: readonly Fault[] = [400, 404, 407, 421, 422].map((code) =>
  status(code, 'no'),
);

/** The header that names the plan which a DELETE carries out. */
export const planHeader = 'x-plan';

export type SoakOptions = {
  readonly exchange: HostileExchange;
  /** For each window, on the rate-limit file that all windows share. */
  readonly newRateLimiter: () => RateLimiter;
};

/** A window of the user: a client with its own fetcher and rate limiter, on the rate-limit file that all share. */
type Window = {
  readonly client: ExchangeClient;
  readonly rateLimiter: RateLimiter;
  readonly refresher: Refresher;
  readonly cancelAll: CancelAll;
};

/** Two windows of a user that do everything at once, whatever comes of it. */
export class Soak implements Disposable {
  /** Passed to most of the work: nothing may stay on it. */
  readonly ended = new AbortController();
  /** How often each kind of work ended in each way. */
  readonly outcomes = new Map<string, number>();
  /** The confirmed plans of cancel-alls. */
  readonly confirmed: string[] = [];
  /** The last reported outcome of each plan whose request was to be sent. */
  readonly reported = new Map<string, Receipt['outcome']>();
  private readonly exchange: HostileExchange;
  private readonly disposables = new DisposableStore();
  private readonly windows: readonly Window[];

  constructor({ exchange, newRateLimiter }: SoakOptions) {
    this.exchange = exchange;
    this.windows = (['node-fetch', 'vscode'] as const).map((fetcher) =>
      this.open(fetcher, this.disposables.add(newRateLimiter())),
    );
  }

  /** Works for so long; then aborts what can be, and resolves when all is settled. */
  async run(durationMs: number): Promise<void> {
    const work = this.windows.flatMap(({ client, refresher, cancelAll }) => [
      this.again('page', () => this.page(client)),
      this.again('page', () => this.page(client)),
      this.again('walk', this.walk(client)),
      this.again('refresh', () => refresher.refresh()),
      this.again('cancel', () => this.cancel(cancelAll)),
    ]);
    await setTimeout(durationMs);
    this.ended.abort();
    await Promise.all(work);
    for (const { rateLimiter } of this.windows) await rateLimiter.flushed();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private open(fetcher: FetcherName, rateLimiter: RateLimiter): Window {
    const { url } = this.exchange;
    let plan = 'none';
    const fetch: Fetch = (to, request) => fetchers[fetcher](to, named(request, plan));
    const client = clientFor({ url }, { rateLimiter, fetch, deadlineMs });
    const { account, cancelAll } = cancelAllOverHttp({
      ...{ client, url, rateLimiter },
      receipts: this.receiptsOf(() => plan),
      confirm: () => {
        plan = `${fetcher} ${this.confirmed.length}`;
        this.confirmed.push(plan);
        return Promise.resolve(true);
      },
    });
    this.disposables.add(account.refresher);
    return {
      client,
      rateLimiter,
      refresher: account.refresher,
      cancelAll: this.disposables.add(cancelAll),
    };
  }

  /** A receipt that is followed up is kept again when there is another plan already. */
  private receiptsOf(plan: () => string): ReceiptStore {
    const store = receiptsInMemory();
    const plans = new Map<string, string>();
    const keep = (receipt: Receipt): Promise<void> => {
      const { id, outcome } = receipt;
      if (!plans.has(id)) plans.set(id, plan());
      this.reported.set(plans.get(id) ?? '', outcome);
      return store.save(receipt);
    };
    return { ...store, save: keep };
  }

  private async again(what: string, act: () => Promise<unknown>): Promise<void> {
    while (!this.ended.signal.aborted) {
      const name = `${what} ${await act().then(() => 'done', outcomeOf)}`;
      this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
      await setTimeout(20);
    }
  }

  /** Often aborted at any point of its way. */
  private async page(client: ExchangeClient): Promise<void> {
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, this.ended.signal]);
    const stop = systemClock.after(Math.random() * 2000, () => own.abort());
    await client
      .history(
        {
          operation: 'lots',
          filters: {},
          period: always,
          page: Math.floor(Math.random() * 5),
          size: 50,
        },
        { signal },
      )
      .finally(stop);
  }

  /** A walk that a failure ended goes on from its cursor when it is called again. */
  private walk(client: ExchangeClient): () => Promise<void> {
    const history = historySource(client, { operation: 'trades', filters: {} }, 'bulk');
    const options = { range: { from: openStart, to: Date.now() }, size: 50, maxReads: 1000 };
    let cursor: WalkCursor | undefined;
    let ids: string[] = [];
    return async () => {
      const steps = walk(history, { ...options, ...(cursor && { cursor }) }, this.ended.signal);
      for await (const step of steps) {
        ids.push(...step.items.map(idOf));
        cursor = step.cursor;
      }
      const { length } = this.exchange.rows('trades');
      assert.deepEqual([ids.length, new Set(ids).size], [length, length]);
      [cursor, ids] = [undefined, []];
    };
  }

  private async cancel(cancelAll: CancelAll): Promise<void> {
    for (const order of rowsOf('orders', 2)) this.exchange.place(order);
    await cancelAll.run();
    await setTimeout(500);
  }
}

function named(request: FetchRequest, plan: string): FetchRequest {
  if (request.method !== 'DELETE') return request;
  return { ...request, headers: { ...request.headers, [planHeader]: plan } };
}

function outcomeOf(error: unknown): string {
  if (error instanceof ExchangeError) return error.failure.kind;
  if (error instanceof DOMException && error.name === 'AbortError') return 'aborted';
  return String(error);
}
