import { exportCost } from '../test/support/exportCost.ts';
import type { Figure } from './figures.ts';

const rows = 1_000_000;

/** What it takes to export a million trades as CSV, from an exchange on this machine without a limit. */
export async function exportFigures(): Promise<Figure[]> {
  const cost = await exportCost(rows);
  if (cost.rows !== rows) throw new Error(`The export has ${cost.rows} rows.`);
  return [
    { name: 'export of 1,000,000 rows, rows a second', value: (rows / cost.ms) * 1000, unit: '' },
    {
      name: 'and growth of its memory',
      value: cost.growthBytes / 1e6,
      unit: 'MB',
      bar: { is: 'at most', value: 80, fails: true },
    },
  ];
}
