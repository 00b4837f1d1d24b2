import { stat } from 'node:fs/promises';
import { largestPackageBytes, packagedVsix } from '../test/support/vsix.ts';
import type { Figure } from './figures.ts';

/** What an install downloads. */
export async function packageFigures(): Promise<Figure[]> {
  const { size } = await stat(await packagedVsix());
  const bar = { is: 'at most', value: largestPackageBytes / 1e6, fails: true } as const;
  return [{ name: 'the package', value: size / 1e6, unit: 'MB', bar }];
}
