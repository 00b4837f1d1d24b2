import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/base/clock.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { BooksFile } from '../../src/exchange/ledger/booksFile.ts';
import { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import { clientFor } from './exchangeClient.ts';

/**
 * What one window of a user does, as a process: it reads without end, and cancels on each line of
 * its input. It answers with the milliseconds until the DELETE had been handed to the system, or NaN.
 */
export type WeightProcessOptions = {
  readonly url: string;
  readonly folder: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** How many requests it wants under way at a time. */
  readonly atATime: number;
};

const options = JSON.parse(process.argv[2] ?? '') as WeightProcessOptions;
const store = new BooksFile({
  folder: options.folder,
  name: 'books.json',
  clock: systemClock,
  onProblem: (error) => {
    throw error;
  },
});
const ledger = new WeightLedger({ store, clock: systemClock, share: () => 1 });
ledger.learn([
  {
    rateLimitType: 'HARD_LIMIT',
    interval: 'SECOND',
    intervalNum: String(options.windowSeconds),
    limit: String(options.limit),
    extra: {},
  },
]);
await ledger.settled();
const client = clientFor(options, { ledger, deadlineMs: 1000 });

const calls: readonly ((client: ExchangeClient) => Promise<unknown>)[] = [
  (one) => one.orders({ page: 0 }),
  (one) => one.accounts(),
  (one) => one.feeTiers(),
];

async function readOn(): Promise<never> {
  for (;;) {
    const call = calls[Math.floor(Math.random() * calls.length)];
    await call?.(client.at('refresh')).catch(() => undefined);
  }
}

let confirmedAt = 0;
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  if (request.method === 'DELETE')
    request.once('finish', () => console.log(performance.now() - confirmedAt));
});
createInterface(process.stdin).on('line', () => {
  confirmedAt = performance.now();
  client.cancelAll().catch(() => console.log(Number.NaN));
});
console.log('ready');
for (let reader = 0; reader < options.atATime; reader += 1) void readOn();
