import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ledgerError.ts';
import { createEmptyFile } from './emptyFile.ts';
import { asLedgerError } from './storageErrors.ts';

/**
 * The right to write to a ledger, which one worker of all windows has. It is a lock of the system on an
 * empty file, taken by SQLite: it ends with the process that holds it, whatever the clock says.
 */
export class WriterLease {
  private readonly database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** The lease of a ledger's file; undefined if another worker has it. */
  static take(ledgerFile: string): WriterLease | undefined {
    const file = leaseFile(ledgerFile);
    if (!existsSync(file)) createEmptyFile(file);
    const database = new DatabaseSync(file);
    try {
      database.exec('BEGIN EXCLUSIVE');
      return new WriterLease(database);
    } catch (cause) {
      database.close();
      const error = asLedgerError(cause);
      if (error instanceof LedgerError && error.problem === 'busy') return undefined;
      throw error;
    }
  }

  end(): void {
    this.database.close();
  }
}

function leaseFile(ledgerFile: string): string {
  return `${ledgerFile}.lease`;
}
