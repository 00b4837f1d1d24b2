import { stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { largestPackageBytes, packagedVsix } from '../test/support/vsix.ts';
import type { Figure } from './figures.ts';

const largestPageKb = 90;
const largestDocumentKb = 110;

/** What an install downloads, and what a panel loads. */
export async function packageFigures(): Promise<Figure[]> {
  const { size } = await stat(await packagedVsix());
  const bar = { is: 'at most', value: largestPackageBytes / 1e6, fails: true } as const;
  return [
    { name: 'the package', value: size / 1e6, unit: 'MB', bar },
    {
      name: 'the script of a panel, minified and compressed',
      value: await compressedKb('src/pages/table/tablePage.ts'),
      unit: 'KB',
      bar: { is: 'at most', value: largestPageKb, fails: true },
    },
    {
      name: 'the script of documents with their charts and their grid',
      value: await compressedKb('src/pages/document/page.ts'),
      unit: 'KB',
      bar: { is: 'at most', value: largestDocumentKb, fails: true },
    },
  ];
}

async function compressedKb(page: string): Promise<number> {
  return gzipSync(await pageScript(page), { level: 9 }).length / 1000;
}
