import { stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { largestPackageBytes, packagedVsix } from '../test/support/vsix.ts';
import type { Figure } from './figures.ts';

/** What an install downloads, and what a page loads, minified and compressed. */
export async function packageFigures(): Promise<Figure[]> {
  const { size } = await stat(await packagedVsix());
  return [
    {
      name: 'the package',
      unit: 'MB',
      value: size / 1e6,
      bar: { atMost: largestPackageBytes / 1e6 },
    },
    await scriptFigure('the script of tables', 'src/pages/table/tablePage.ts', 90),
    await scriptFigure('the script of documents, with charts', 'src/pages/document/page.ts', 110),
  ];
}

async function scriptFigure(name: string, page: string, atMost: number): Promise<Figure> {
  const value = gzipSync(await pageScript(page), { level: 9 }).length / 1000;
  return { name, unit: 'KB', value, bar: { atMost } };
}
