import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from './project.ts';

/** Where `npm run package` leaves the extension of this checkout. */
export async function packagedVsix(): Promise<string> {
  const manifest = await readFile(path.join(projectRoot, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return path.join(projectRoot, `margin-desk-${version}.vsix`);
}
