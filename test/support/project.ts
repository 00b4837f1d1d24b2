import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The absolute folder of this checkout. */
export const projectRoot = path.resolve(import.meta.dirname, '../..');

/** What tests and `npm start` keep between runs: the served VS Code and the data of `npm start`. */
export const cacheFolder = path.join(projectRoot, '.vscode-test');

/** Writes a file unless it has this text already: what runs beside this one may read it. */
export async function updateFile(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text);
}

export type TemporaryFolder = { readonly path: string; remove(): Promise<void> };

/** In memory, where the system has a large disk of it: tests write thousands of times. */
export const fastFolder = freeBytes('/dev/shm') > 2e9 ? '/dev/shm' : tmpdir();

function freeBytes(disk: string): number {
  if (!existsSync(disk)) return 0;
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
}

/** An empty folder outside the checkout; its owner removes it. */
export async function temporaryFolder(parent = tmpdir()): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(parent, 'margin-desk-'));
  return {
    path: folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Called in a `describe`: the path of an empty folder that each test has of its own. */
export function folderOfEachTest(): { readonly path: string } {
  let folder: TemporaryFolder | undefined;
  beforeEach(async () => {
    folder = await temporaryFolder(fastFolder);
  });
  afterEach(() => folder?.remove());
  return {
    get path() {
      return folder?.path ?? '';
    },
  };
}
