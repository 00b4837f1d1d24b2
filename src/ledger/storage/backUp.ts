import { renameSync, rmSync } from 'node:fs';
import { backup, type DatabaseSync } from 'node:sqlite';
import { createEmptyFile } from './emptyFile.ts';
import { assertUndamaged, openDatabase } from './ledgerFile.ts';
import { asLedgerError } from './storageErrors.ts';

/** Copies a ledger while it is used, checks the copy, and only then gives it the name `target`. */
export async function backUp(database: DatabaseSync, target: string): Promise<void> {
  const draft = `${target}.${crypto.randomUUID().slice(0, 8)}.draft`;
  try {
    createEmptyFile(draft);
    await backup(database, draft);
    checkCopy(draft);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw asLedgerError(error);
  }
}

function checkCopy(file: string): void {
  const copy = openDatabase(file, true);
  try {
    assertUndamaged(copy);
  } finally {
    copy.close();
  }
}
