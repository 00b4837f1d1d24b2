import path from 'node:path';
import type { ExportFormat } from '../../src/account/export/exportFormats.ts';
import { runToEnd } from './childProcess.ts';
import type { ExportCost, ExportSource } from './exportProcess.ts';
import { temporaryFolder } from './project.ts';
import { hostileExchange } from './hostileExchange.ts';
import { minuteLimit } from './hostileExchange/options.ts';
import { rowsOf } from './hostileExchange/rows.ts';

/** Exports so many rows in a process of its own, from an exchange in this one or a ledger, and says what it took. */
export async function exportCost(
  rows: number,
  format: ExportFormat,
  source: ExportSource = 'exchange',
): Promise<ExportCost> {
  const trades = rowsOf('trades', rows, { spacingMs: 10_000, firstId: 9_007_199_254_740_994n });
  const exchange = await hostileExchange({ rows: { trades }, rateLimits: minuteLimit(1e9) });
  const folder = await temporaryFolder();
  try {
    const script = path.join(import.meta.dirname, 'exportProcess.ts');
    const { code, output } = await runToEnd(process.execPath, [
      ...[script, exchange.url, folder.path, format, source],
    ]);
    if (code !== 0) throw new Error(output);
    return JSON.parse(output) as ExportCost;
  } finally {
    await exchange.close();
    await folder.remove();
  }
}
