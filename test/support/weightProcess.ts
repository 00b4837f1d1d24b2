import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CancelAccount } from '../../src/account/cancelAll/account.ts';
import { CancelAll } from '../../src/account/cancelAll/cancelAll.ts';
import { AccountStore } from '../../src/account/accountStore.ts';
import { Refresher } from '../../src/account/refresher.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { BooksFile } from '../../src/exchange/ledger/booksFile.ts';
import { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import { ReceiptFiles } from '../../src/host/receipts/receiptFiles.ts';
import { anAccount, someLocked } from './builders.ts';
import { cancelAccount } from './cancelAccount.ts';
import { clientFor } from './exchangeClient.ts';

/**
 * What one window of a user does, as a process: it reads without end, and on each line of its input
 * somebody presses cancel all and says yes. It answers with the milliseconds from the yes until the
 * DELETE had been handed to the system, or NaN where none was.
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
const client = clientFor(options, { ledger, deadlineMs: 1000, fetcher: 'vscode' });

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

/** Reads its account from memory, so that the reserve is left to the requests that are measured. */
function openAccount(): CancelAccount {
  const store = new AccountStore();
  const orders = Array.from({ length: 20 }, (_, at) => someLocked({ symbol: `coin${at}_usdt` }));
  const read = () => Promise.resolve({ value: anAccount({ orders }), badRecords: [] });
  const refresher = new Refresher({ store, clock: systemClock, read });
  refresher.setIntervalMs(undefined);
  return { ...cancelAccount(client, options.url, ledger), store, refresher };
}

/** Nobody reads the question and says yes sooner. */
const quickestYesMs = 250;
let confirmedAt = 0;
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  if (request.method === 'DELETE')
    request.once('finish', () => console.log(performance.now() - confirmedAt));
});

async function cancelAll(): Promise<void> {
  const account = openAccount();
  const desk = new CancelAll({
    clock: systemClock,
    receipts: new ReceiptFiles(path.join(options.folder, 'receipts')),
    account: () => Promise.resolve(account),
    confirm: async () => {
      await setTimeout(quickestYesMs);
      confirmedAt = performance.now();
      return true;
    },
    onProblem: (error) => {
      throw error;
    },
  });
  desk.onDidReport(({ receipt }) => {
    if (receipt.outcome === 'notSent') console.log(Number.NaN);
  });
  await desk.press();
  desk.dispose();
}
createInterface(process.stdin).on('line', () => void cancelAll());
console.log('ready');
for (let reader = 0; reader < options.atATime; reader += 1) void readOn();
