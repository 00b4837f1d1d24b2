import { constants, copyFile, open, rename, rm, writeFile } from 'node:fs/promises';
import { codeOf, onDisk } from './exportFileError.ts';

/** The name of the file that describes an exported one. */
export function metaNameOf(file: string): string {
  return `${file}.meta.json`;
}

/**
 * Moves a finished file to the name that was chosen for it, in place of what is there, and its
 * description beside it. Neither name ever holds half a file; where this rejects with
 * ExportFileError because the file could not be moved, `source` and what was there still are.
 */
export function placeFile(source: string, target: string, meta: string): Promise<void> {
  const metaFile = metaNameOf(target);
  return onDisk('target', () =>
    throughDraft(metaFile, async (draft) => {
      await writeFile(draft, meta, { mode: 0o600, flag: 'wx', flush: true });
      await move(source, target);
    }),
  );
}

/** Between two disks there is only copying. */
async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    await throughDraft(target, async (draft) => {
      await copyFile(source, draft, constants.COPYFILE_EXCL);
      await flush(draft);
    });
    await rm(source, { force: true }).catch(() => undefined);
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** Writes a file under another name beside its own, and lets it appear in one step. */
async function throughDraft(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await write(draft);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
