import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { clientFor } from '../test/support/exchangeClient.ts';
import type { Figure } from './figures.ts';

/** How soon the practice exchange is there: a worker thread, until the first answer of every operation that reads. */
export async function practiceFigures(): Promise<Figure[]> {
  const startedAt = performance.now();
  const file = path.join(import.meta.dirname, '../src/practice/main.ts');
  const worker = new Worker(file, { workerData: { port: 0, seed: 1 } });
  const [ready] = (await once(worker, 'message')) as [
    { url: string; apiKey: string; apiSecret: string },
  ];
  const listeningMs = performance.now() - startedAt;
  await readEverything(ready);
  const answeredMs = performance.now() - startedAt;
  await worker.terminate();
  return [
    { name: 'practice exchange listening, in a worker', value: listeningMs, unit: 'ms' },
    {
      name: 'and every operation answered once',
      value: answeredMs,
      unit: 'ms',
      bar: { is: 'at most', value: 2000 },
    },
  ];
}

async function readEverything(exchange: Parameters<typeof clientFor>[0]): Promise<void> {
  const client = clientFor(exchange);
  await client.exchangeInfo();
  await client.accounts();
  await client.history({ operation: 'orders', filters: {}, page: 0 });
  await client.history({ operation: 'trades', filters: {}, page: 0 });
  await client.history({ operation: 'lots', filters: {}, page: 0 });
  await client.history({ operation: 'transactions', filters: { accountType: 'FUTURE' }, page: 0 });
  await client.list('leverage');
  await client.list('feeTiers');
}
