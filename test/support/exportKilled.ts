import { PartialFile } from '../../src/account/export/partialFile.ts';
import { clientFor } from './exchangeClient.ts';
import { TestExporter } from './testExporter.ts';

/**
 * Run as a process of its own, `<url> <folder>`: exports every trade of the exchange at `url`, and is
 * killed when it has written the sixth piece of rows and has not yet saved that it did. Each piece
 * takes a second: some were saved, and not the last ones.
 */

const [url = '', folder = ''] = process.argv.slice(2);

const append = Object.getOwnPropertyDescriptor(PartialFile.prototype, 'append')
  ?.value as PartialFile['append'];
const exporter = new TestExporter(folder);
let pieces = 0;
PartialFile.prototype.append = async function (text) {
  const bytes = await append.call(this, text);
  await exporter.clock.advance(1000);
  if ((pieces += 1) === 6) process.kill(process.pid, 'SIGKILL');
  return bytes;
};

await exporter.export(clientFor({ url }), { operation: 'trades', filters: {} });
