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

/** An empty folder outside the checkout; its owner removes it. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'margin-desk-'));
  return {
    path: folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Called in a `describe`: the path of an empty folder that each test has of its own. */
export function folderOfEachTest(): { readonly path: string } {
  let folder: TemporaryFolder | undefined;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder?.remove());
  return {
    get path() {
      return folder?.path ?? '';
    },
  };
}
