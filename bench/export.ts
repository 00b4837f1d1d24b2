import { exportFormats, type ExportFormat } from '../src/account/export/exportFormats.ts';
import { exportCost } from '../test/support/exportCost.ts';
import type { ExportSource } from '../test/support/exportProcess.ts';
import type { Figure } from './figures.ts';
import { sizes } from './sizes.ts';

/** What it takes to export trades in each form, from an exchange on this machine without a limit, beside CSV; and from a ledger. */
export async function exportFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  let csvMs: number | undefined;
  for (const format of exportFormats) {
    const { ms, growthBytes } = await costOf(format);
    csvMs ??= ms;
    const beside = { peers: { csv: csvMs }, bar: { timesPeer: 3 } };
    figures.push(
      {
        name: `export of ${sizes.exportRows} rows as ${format}`,
        unit: 'ms',
        value: ms,
        ...(format !== 'csv' && beside),
      },
      {
        name: `memory that it holds, ${format}`,
        unit: 'MB',
        value: growthBytes / 1e6,
        bar: { atMost: 25 },
      },
    );
  }
  const fromLedger = await costOf('csv', 'ledger');
  figures.push({
    name: `export of ${sizes.exportRows} rows as csv from the ledger`,
    unit: 'ms',
    value: fromLedger.ms,
    peers: { 'from the exchange': csvMs ?? 0 },
    bar: { timesPeer: 0.5 },
  });
  return figures;
}

async function costOf(format: ExportFormat, source?: ExportSource) {
  const cost = await exportCost(sizes.exportRows, format, source);
  if (cost.rows !== sizes.exportRows) throw new Error(`The export has ${cost.rows} rows.`);
  return cost;
}
