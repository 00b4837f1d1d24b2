import { constants, copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { codeOf, onDisk } from './exportFileError.ts';

/** The name of the file that describes an exported one. */
export function metaNameOf(file: string): string {
  return `${file}.meta.json`;
}

/**
 * Moves a finished file to the name that was chosen for it, in place of what is there, and its
 * description beside it. The name never holds half a file; where this rejects with
 * ExportFileError, `source` is still there.
 */
export function placeFile(source: string, target: string, meta: string): Promise<void> {
  return onDisk('target', async () => {
    const metaFile = metaNameOf(target);
    await throughDraft(metaFile, (draft) => writeFile(draft, meta, { mode: 0o600, flag: 'wx' }));
    try {
      await move(source, target);
    } catch (error) {
      await rm(metaFile, { force: true });
      throw error;
    }
  });
}

/** Between two disks there is only copying. */
async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    await throughDraft(target, (draft) => copyFile(source, draft, constants.COPYFILE_EXCL));
    await rm(source, { force: true }).catch(() => undefined);
  }
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
