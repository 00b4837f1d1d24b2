import { closeSync, existsSync, openSync } from 'node:fs';

/** A file that was set aside has this and a number after its name. */
export const asideEnding = '.aside-';

/**
 * An empty file that only this user can read; SQLite gives its journal the same mode. Throws if it exists: to
 * close an open file would end the locks on it of the whole process.
 */
export function createEmptyFile(file: string): void {
  closeSync(openSync(file, 'wx', 0o600));
}

/** The same, unless there is one, perhaps since a moment ago, of another window. */
export function createIfMissing(file: string): void {
  try {
    createEmptyFile(file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}
