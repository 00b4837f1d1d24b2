import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { always } from '../../src/base/interval.ts';
import type { CancelAccount } from '../../src/account/cancelAll/lockedOrders.ts';
import { AccountStore } from '../../src/account/session/accountStore.ts';
import { Refresher } from '../../src/account/session/refresher.ts';
import { RateLimits } from '../../src/account/session/rateLimits.ts';
import { systemClock, type Clock } from '../../src/base/time.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { ReceiptFiles } from '../../src/host/cancelAll/receiptFiles.ts';
import { anAccount, aProfile, someLocked } from './builders.ts';
import { cancelAllOverHttp } from './cancelAllOverHttp.ts';
import { clientFor } from './exchangeClient.ts';

/**
 * What one window of a user does, as a process: it reads without end, and on each line of its input
 * somebody cancels all and confirms. It answers with the milliseconds from the confirmation until the
 * DELETE had been handed to the system, or NaN if none was.
 */
export type WeightProcessOptions = {
  readonly url: string;
  readonly folder: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** How many requests it wants under way at a time. */
  readonly atATime: number;
  /** How far the wall clock is ahead when it starts. */
  readonly clockAheadMs?: number;
  /** The rate-limit file may be one that cannot be used. */
  readonly mayFail?: boolean;
};

const options = JSON.parse(process.argv[2] ?? '') as WeightProcessOptions;
const { clockAheadMs = 0, mayFail = false } = options;
/** The wall clock of this window, as far as the rate limit sees it. */
const clock: Clock = { ...systemClock, now: () => systemClock.now() + clockAheadMs };
const rateLimits = new RateLimits({
  folder: path.join(options.folder, 'limits'),
  clock,
  share: () => 1,
  onProblem: (error) => {
    if (!mayFail) throw error;
  },
});
const profile = aProfile({ baseUrl: options.url, environment: 'live' });
const rateLimiter = rateLimits.forProfile(profile, {});
rateLimiter.setLimits([
  {
    rateLimitType: 'HARD_LIMIT',
    interval: 'SECOND',
    intervalNum: String(options.windowSeconds),
    limit: String(options.limit),
    extra: {},
  },
]);
await rateLimiter.flushed();
const client = clientFor(options, { rateLimiter, deadlineMs: 1000, fetcher: 'vscode' });

const calls: readonly ((client: ExchangeClient) => Promise<unknown>)[] = [
  (one) =>
    one.history(
      { operation: 'orders', filters: {}, period: always, page: 0 },
      { priority: 'refresh' },
    ),
  (one) => one.accounts({ priority: 'refresh' }),
  (one) => one.list('feeTiers', { priority: 'refresh' }),
];

async function readOn(): Promise<never> {
  for (;;) {
    const call = calls[Math.floor(Math.random() * calls.length)];
    await call?.(client).catch(() => undefined);
  }
}

/** Reads its account from memory, so that the reserve is left to the requests that are measured. */
function accountInMemory(): Pick<CancelAccount, 'store' | 'refresher'> {
  const store = new AccountStore();
  const orders = Array.from({ length: 20 }, (_, at) => someLocked({ symbol: `coin${at}_usdt` }));
  const accounts = () => Promise.resolve({ value: anAccount({ orders }), badRecords: [] });
  const inMemory = { accounts, serverNow: () => 0 };
  return { store, refresher: new Refresher({ store, clock: systemClock, client: inMemory }) };
}

/** Nobody reads the question and confirms sooner. */
const minConfirmMs = 250;
let confirmedAt = 0;
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  if (request.method === 'DELETE')
    request.once('finish', () => console.log(performance.now() - confirmedAt));
});

async function cancelAll(): Promise<void> {
  const runner = cancelAllOverHttp({
    ...{ client, url: options.url, rateLimiter, account: accountInMemory() },
    receipts: new ReceiptFiles(path.join(options.folder, 'receipts')),
    confirm: async () => {
      await setTimeout(minConfirmMs);
      confirmedAt = performance.now();
      return true;
    },
    onReport: ({ receipt }) => {
      if (receipt.outcome === 'notSent') console.log(Number.NaN);
    },
  });
  await runner.cancelAll.run();
  runner.cancelAll.dispose();
}
createInterface(process.stdin).on('line', () => void cancelAll());
console.log('ready');
for (let reader = 0; reader < options.atATime; reader += 1) void readOn();
