import { stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { largestPackageBytes, packagedVsix } from '../test/support/vsix.ts';
import type { Figure } from './figures.ts';

const largestPageKb = 90;

/** What an install downloads, and what a panel loads. */
export async function packageFigures(): Promise<Figure[]> {
  const { size } = await stat(await packagedVsix());
  const bar = { is: 'at most', value: largestPackageBytes / 1e6, fails: true } as const;
  return [
    { name: 'the package', value: size / 1e6, unit: 'MB', bar },
    {
      name: 'the script of a panel, minified and compressed',
      value: (await compressedPageBytes()) / 1000,
      unit: 'KB',
      bar: { is: 'at most', value: largestPageKb, fails: true },
    },
  ];
}

async function compressedPageBytes(): Promise<number> {
  return gzipSync(await pageScript('src/pages/table/tablePage.ts'), { level: 9 }).length;
}
