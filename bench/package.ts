import { stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { projectRoot } from '../test/support/project.ts';
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
  const { outputFiles } = await build({
    entryPoints: [path.join(projectRoot, 'src/pages/table/tablePage.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'chrome138',
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}
