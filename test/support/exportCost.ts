import path from 'node:path';
import type { ExportFormat } from '../../src/account/export/exportFormats.ts';
import { runToEnd } from './childProcess.ts';
import { endlessTrades } from './endlessTrades.ts';
import type { ExportCost, ExportSource } from './exportProcess.ts';
import { temporaryFolder } from './project.ts';

/** Exports so many rows in a process of its own, from a server in this one or a ledger, and says what it took. */
export async function exportCost(
  rows: number,
  format: ExportFormat,
  source: ExportSource = 'exchange',
): Promise<ExportCost> {
  const [server, folder] = [await endlessTrades(rows), await temporaryFolder()];
  try {
    const script = path.join(import.meta.dirname, 'exportProcess.ts');
    const { code, output } = await runToEnd(process.execPath, [
      ...[script, server.url, folder.path, format, source],
    ]);
    if (code !== 0) throw new Error(output);
    return JSON.parse(output) as ExportCost;
  } finally {
    await server.close();
    await folder.remove();
  }
}
