import { exportFormats, type ExportFormat } from '../src/account/export/exportFormats.ts';
import { exportCost } from '../test/support/exportCost.ts';
import type { Figure } from './figures.ts';

const rows = 1_000_000;

/** What it takes to export a million trades in each form, from an exchange on this machine without a limit. */
export async function exportFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const format of exportFormats) figures.push(...(await figuresOf(format)));
  return figures;
}

async function figuresOf(format: ExportFormat): Promise<Figure[]> {
  const cost = await exportCost(rows, format);
  if (cost.rows !== rows) throw new Error(`The export has ${cost.rows} rows.`);
  return [
    {
      name: `export of 1,000,000 rows as ${format}, rows a second`,
      value: (rows / cost.ms) * 1000,
      unit: '',
    },
    {
      name: 'and growth of its memory',
      value: cost.growthBytes / 1e6,
      unit: 'MB',
      bar: { is: 'at most', value: 80, fails: true },
    },
  ];
}
