import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { always } from '../../src/base/interval.ts';
import { exportFormats } from '../../src/account/export/exportFormats.ts';
import type { AccountRows } from '../../src/account/export/exportRows.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { Ledgers } from '../../src/ledger/ledgers.ts';
import { WalkRunner } from '../../src/ledger/sync/walkRunner.ts';
import { clientFor } from './exchangeClient.ts';
import { beginWalk, ledgerWorkerFile } from './ledgerUnderTest.ts';
import { TestExporter, metaOf } from './testExporter.ts';

/**
 * Run as a process of its own, `<url> <folder> <format> <source>`: exports every trade of the exchange at
 * `url`, or of a ledger that has them all, and prints what that took, as JSON.
 */

export type ExportSource = 'exchange' | 'ledger';

export type ExportCost = {
  readonly rows: number;
  readonly ms: number;
  /** How far what is held of heap and external memory rose above what stood before, at most. */
  readonly growthBytes: number;
};

const [url = '', folder = '', name = '', source = 'exchange'] = process.argv.slice(2);
const format = exportFormats.find((each) => each === name) ?? 'csv';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Without garbage, of which a busy machine leaves more. */
function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A ledger with every trade. */
async function downloaded(client: ExchangeClient): Promise<AccountRows> {
  const ledgers = new Ledgers({
    folder: path.join(folder, 'ledgers'),
    workerFile: ledgerWorkerFile,
  });
  const ledger = ledgers.open(ledgers.create());
  const runner = new WalkRunner({ client, writer: ledger });
  await runner.run(await beginWalk(ledger, 'trades'), { signal: new AbortController().signal });
  return { reader: ledger, writer: ledger };
}

async function measure(): Promise<ExportCost> {
  const exporter = new TestExporter(folder);
  const client = clientFor({ url });
  const ledger = source === 'ledger' ? await downloaded(client) : undefined;
  await client.history({ operation: 'trades', filters: {}, period: always, page: 0, size: 1 });
  const before = heldBytes();
  let most = before;
  let calls = 0;
  const sample = (): void => {
    if (calls++ % 20 === 0) most = Math.max(most, heldBytes());
  };
  const startedAt = performance.now();
  const file = await exporter.export(
    client,
    { operation: 'trades', filters: {} },
    { format, ledger, onProgress: sample, onRowsWritten: sample },
  );
  const ms = performance.now() - startedAt;
  const { rows } = await metaOf(file);
  return { rows, ms, growthBytes: most - before };
}

console.log(JSON.stringify(await measure()));
process.exit();
