import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { counted, limitsOf } from './books.ts';
import { booksIn } from './booksSchema.ts';
import { dayMs } from '../../base/durations.ts';

const oldMs = 7 * dayMs;
/** A books file and what may have been left beside it: its claims, the lock of a process that died. */
const namePattern = /^(ledger-[0-9a-f]{32}\.json)(?:\..+)?$/;

/** Removes the books of exchanges and keys that nobody has used for a week and that hold no weight any more. */
export async function removeOldBooks(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const families = Map.groupBy(names, (name) => namePattern.exec(name)?.[1]);
  families.delete(undefined);
  for (const family of families.values()) {
    const files = family.map((name) => path.join(folder, name));
    const areOld = await Promise.all(files.map((file) => isOld(file, now)));
    if (!areOld.every(Boolean)) continue;
    for (const file of files) await rm(file, { recursive: true, force: true });
  }
}

async function isOld(file: string, now: number): Promise<boolean> {
  const mtimeMs = await stat(file).then(
    (stats) => stats.mtimeMs,
    () => 0,
  );
  if (now - mtimeMs < oldMs) return false;
  const books = file.endsWith('.json') ? booksIn(await readFile(file, 'utf8')) : undefined;
  return (
    !books || limitsOf(books).every(({ windowMs }) => counted(books, windowMs, now).length === 0)
  );
}
