import { existsSync, renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ledgerError.ts';
import { asideEnding } from './emptyFile.ts';
import { applicationId, assertNotNewer, type Migrations } from './migrations.ts';
import { numberOf } from './sql.ts';

/** How long a read waits for the commit of another window, in milliseconds. */
const busyMs = 5000;
/** What stays in memory at most, in KiB: a million rows without their records are read again from there. */
const cacheKib = 128 * 1024;

/**
 * Opens the file of a ledger. Throws if it is missing, no ledger, or of a newer version; an empty file is a
 * ledger of version 0.
 */
export function openDatabase(
  file: string,
  readOnly: boolean,
  migrations?: Migrations,
): DatabaseSync {
  if (!existsSync(file)) throw new LedgerError('missing');
  // One that can write moves what is in a write-ahead log into the file when it is closed.
  if (!readOnly && existsSync(`${file}-wal`)) withFile(file, () => undefined, migrations);
  const database = new DatabaseSync(file, { readOnly });
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA cache_size = -${cacheKib}`);
    assertLedger(database, readOnly);
    assertNotNewer(database, migrations);
    // SQLite up to 3.51.2 can damage the file of a write-ahead log that several processes write.
    if (!readOnly) database.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs `work` with a file that is not changed. */
export function withFile<T>(
  file: string,
  work: (database: DatabaseSync) => T,
  migrations?: Migrations,
): T {
  const database = openDatabase(file, true, migrations);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** A file that is no ledger is not read. */
function assertLedger(database: DatabaseSync, readOnly: boolean): void {
  const isEmpty = numberOf(database, 'PRAGMA page_count') === 0;
  if (!isEmpty && numberOf(database, 'PRAGMA application_id') !== applicationId)
    throw new LedgerError(readOnly ? 'notALedger' : 'damaged');
}

/** Throws if the file is damaged. */
export function assertUndamaged(database: DatabaseSync): void {
  const row = database.prepare('PRAGMA quick_check(1)').get();
  if (row?.quick_check !== 'ok') throw new LedgerError('damaged');
}

/** Renames a damaged file and its journal; returns the new name of the file. */
export function setAside(file: string): string {
  const aside = unusedName(file);
  // The journal first: left behind, it would be rolled back into the next file of this name.
  if (existsSync(`${file}-journal`)) renameSync(`${file}-journal`, `${aside}-journal`);
  renameSync(file, aside);
  return aside;
}

/** Tells a file apart from one of the same name that replaced it; undefined if there is none. */
export function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

function unusedName(file: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${file}${asideEnding}${number}`;
    if (!existsSync(name) && !existsSync(`${name}-journal`)) return name;
  }
}
