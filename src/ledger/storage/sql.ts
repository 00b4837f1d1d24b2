import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { LedgerHistory } from '../ledger.ts';

/** Runs `work` in a transaction, which is undone if it throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has undone it already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The only column of the only row, as a number; 0 if there is no row. */
export function numberOf(
  database: DatabaseSync,
  sql: string,
  ...values: readonly SQLInputValue[]
): number {
  const row = database.prepare(sql).get(...values);
  return row === undefined ? 0 : Number(Object.values(row)[0]);
}

/** The number of the last row, which is how many there are: rows are numbered from 1, and never deleted. */
export function lastRow(database: DatabaseSync, history: LedgerHistory): number {
  return numberOf(database, `SELECT max(row) FROM ${history}`);
}
