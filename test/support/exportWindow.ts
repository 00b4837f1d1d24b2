import { clientFor } from './exchangeClient.ts';
import { TestExporter } from './testExporter.ts';
import { systemClock } from '../../src/base/time.ts';
import { exportFormats } from '../../src/account/export/exportFormats.ts';

/**
 * Run as a process of its own, `<url> <folder> <name> <format>`: exports every trade of the exchange at `url`, and
 * prints a line whenever rows came or were written.
 */

const [url = '', folder = '', name = '', format = ''] = process.argv.slice(2);
const print = (): void => void process.stdout.write('\n');
const chosen = exportFormats.find((each) => each === format) ?? 'csv';
const exporter = new TestExporter(folder);
await exporter.export(
  clientFor({ url }, { clock: systemClock }),
  { operation: 'trades', filters: {} },
  { name, format: chosen, onProgress: print, onRowsWritten: print },
);
