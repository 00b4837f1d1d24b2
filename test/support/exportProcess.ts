import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { formatNames } from '../../src/account/export/rowWriter.ts';
import { clientFor } from './exchangeClient.ts';
import { ExportDesk, metaOf } from './exportDesk.ts';

/**
 * Run as a process of its own, `<url> <folder> <format>`: exports every trade of the exchange at
 * `url` and prints what that took, as JSON.
 */

export type ExportCost = {
  readonly rows: number;
  readonly ms: number;
  /** How far heap and external memory rose above what stood before, at most. */
  readonly growthBytes: number;
};

const [url = '', folder = '', name = ''] = process.argv.slice(2);
const format = formatNames.find((each) => each === name) ?? 'csv';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measure(): Promise<ExportCost> {
  const desk = new ExportDesk(folder);
  const client = clientFor({ url });
  await client.trades({ page: 0, size: 1 });
  collect();
  const before = heldBytes();
  let most = before;
  const startedAt = performance.now();
  const file = await desk.export(
    client,
    { operation: 'trades', filters: {} },
    {
      format,
      onProgress: () => (most = Math.max(most, heldBytes())),
    },
  );
  const ms = performance.now() - startedAt;
  const { rows } = await metaOf(file);
  return { rows, ms, growthBytes: most - before };
}

console.log(JSON.stringify(await measure()));
