import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import type { FetcherName } from '../../src/exchange/http/fetch.ts';
import { clientFor } from './exchangeClient.ts';

/** What reading a decompression bomb cost, printed as one line of JSON. */
export type ReadMemoryReport = {
  readonly kind: string;
  /** The most that the process grew while it read, by what the system has given it. */
  readonly grownBytes: number;
};

const [url = '', fetcher = ''] = process.argv.slice(2);
const client = clientFor({ url }, { fetcher: fetcher as FetcherName });
// The first request loads modules, whose memory must not count.
await client.list('feeTiers');
const before = process.memoryUsage.rss();
let most = before;
const measure = (): void => void (most = Math.max(most, process.memoryUsage.rss()));
const timer = setInterval(measure, 2);
const error: unknown = await client.accounts().catch((thrown: unknown) => thrown);
measure();
clearInterval(timer);
const kind = error instanceof ExchangeError ? error.failure.kind : String(error);
process.stdout.write(
  `${JSON.stringify({ kind, grownBytes: most - before } satisfies ReadMemoryReport)}\n`,
);
