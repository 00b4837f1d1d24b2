import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from './project.ts';

/**
 * Makes `folder`, an npm project of its own, by `install`. It appears whole or not at all, so that a
 * broken install is never used.
 */
export async function installAtomically(
  folder: string,
  install: (unfinished: string) => Promise<void>,
): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const unfinished = await mkdtemp(path.join(cacheFolder, 'unfinished-'));
  try {
    await writeFile(path.join(unfinished, 'package.json'), '{ "private": true }\n');
    await install(unfinished);
    await moveUnlessThere(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Renames into place; if another process was faster, its install is as good. */
async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
