import { DatabaseSync } from 'node:sqlite';
import { dayMs, hourMs } from '../../base/time.ts';
import { LedgerError } from '../ledgerError.ts';
import { createEmptyFile, createIfMissing } from './emptyFile.ts';
import { setState, stateOf } from './fileState.ts';
import { identityOf, openDatabase, setAside } from './ledgerFile.ts';
import { migrate, migrations, type Migrations, versionOf } from './migrations.ts';
import { inTransaction } from './sql.ts';
import { asLedgerError } from './storageErrors.ts';
import { rmSync } from 'node:fs';

export type ConnectionOptions = {
  readonly file: string;
  /** For a backup, which stays as it is. */
  readonly readOnly: boolean;
  /** It is written once and read once, and keeps little in memory. */
  readonly isTemporary?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Looks for damage in the file while it is used; rejects if it could not. */
  readonly isUndamaged: (file: string) => Promise<boolean>;
  /** The file could not be used and has this name now; the ledger starts again. */
  readonly onSetAside: (file: string) => void;
  /** Those of a made-up version, in a test. */
  readonly migrations?: Migrations;
};

type OpenFile = { readonly database: DatabaseSync; readonly identity: string | undefined };

const checkEveryMs = 7 * dayMs;
/** After a check that could not be made. */
const checkAgainMs = hourMs;

/**
 * The open file of a ledger. It is opened on first use, and again when another window replaced it. The window
 * that has the lease sets aside a file that is damaged or no ledger, and replaces it.
 */
export class LedgerConnection {
  private readonly options: ConnectionOptions;
  private opened: OpenFile | undefined;
  private lease: WriterLease | undefined;
  private checkBegunAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionOptions) {
    this.options = options;
  }

  /** Runs `work` with the database; what it throws is a LedgerError if it came from SQLite or the system. */
  read<T>(work: (database: DatabaseSync) => T): T {
    try {
      return work(this.database());
    } catch (cause) {
      const error = asLedgerError(cause);
      if (error instanceof LedgerError && error.problem === 'damaged') this.replace();
      throw error;
    }
  }

  /** Runs `work` in a transaction; throws if another window has the lease. */
  write<T>(work: (database: DatabaseSync) => T): T {
    return this.read(() => {
      if (!this.claim()) throw new LedgerError('otherWriter');
      const database = this.database();
      this.checkIfDue(database);
      return inTransaction(database, () => work(database));
    });
  }

  /** Takes the lease, if no other window has it. Whether this worker has it now. */
  claim(): boolean {
    if (this.options.readOnly) throw new LedgerError('forbidden');
    if (this.lease) return true;
    if (identityOf(this.options.file) === undefined) throw new LedgerError('missing');
    // Before the file is opened: another window may be creating its tables.
    const lease = WriterLease.take(this.options.file);
    if (!lease) return false;
    this.lease = lease;
    try {
      this.beginWriting();
      return true;
    } catch (error) {
      this.lease = undefined;
      lease.end();
      throw error;
    }
  }

  release(): void {
    if (!this.lease) return;
    try {
      if (this.opened) setState(this.opened.database, 'isWriting', 0);
    } catch {
      // The file cannot be written, or is gone. If it is not, the next writer looks for damage.
    }
    this.lease.end();
    this.lease = undefined;
  }

  /** The lease lasts until its own file is gone: who waits for it sees that, and takes the lease of another file. */
  delete(): void {
    if (!this.claim()) throw new LedgerError('otherWriter');
    this.closeFile();
    const { file } = this.options;
    for (const name of [`${file}-journal`, file]) rmSync(name, { force: true });
    this.lease?.delete();
    this.lease = undefined;
  }

  close(): void {
    this.release();
    this.closeFile();
  }

  /** Of the file that is open. */
  get identity(): string {
    return this.opened?.identity ?? '';
  }

  private database(): DatabaseSync {
    return this.open().database;
  }

  private open(): OpenFile {
    const identity = identityOf(this.options.file);
    if (this.opened && this.opened.identity === identity) return this.opened;
    this.closeFile();
    const { file, readOnly, isTemporary, migrations: steps = migrations } = this.options;
    const database = openDatabase(file, readOnly, steps);
    if (isTemporary) database.exec('PRAGMA cache_size = -32768');
    this.opened = { database, identity: identityOf(file) };
    if (!readOnly && versionOf(database) <= steps.length) this.migrate(database, steps);
    return this.opened;
  }

  private beginWriting(): void {
    const wasUnclean = stateOf(this.database(), 'isWriting') === 1;
    try {
      setState(this.database(), 'isWriting', 1);
    } catch {
      // A file that was opened while it could not be written stays so.
      this.closeFile();
      setState(this.database(), 'isWriting', 1);
    }
    const database = this.database();
    // Until a check was made: this window may close the file before.
    if (wasUnclean) setState(database, 'checkedAt', 0);
    this.checkIfDue(database);
  }

  /** A window may have the file open for weeks. Its clock may be set back. */
  private checkIfDue(database: DatabaseSync): void {
    const sinceMs = (time: number): number => Math.abs(this.options.now() - time);
    if (sinceMs(stateOf(database, 'checkedAt')) < checkEveryMs) return;
    if (sinceMs(this.checkBegunAt) < checkAgainMs) return;
    this.checkBegunAt = this.options.now();
    void this.check().catch(() => undefined);
  }

  /** Only the writer changes the tables: a window of an older version may still write to them. */
  private migrate(database: DatabaseSync, steps: Migrations): void {
    const lease = this.lease ?? WriterLease.take(this.options.file);
    if (!lease) throw new LedgerError('busy');
    try {
      migrate(database, steps);
      if (stateOf(database, 'checkedAt') === 0) setState(database, 'checkedAt', this.options.now());
    } finally {
      if (lease !== this.lease) lease.end();
    }
  }

  private async check(): Promise<void> {
    const { identity } = this.open();
    const isUndamaged = await this.options.isUndamaged(this.options.file);
    if (!this.lease || !this.opened || this.opened.identity !== identity) return;
    if (isUndamaged) setState(this.opened.database, 'checkedAt', this.options.now());
    else this.replace();
  }

  /** Without the lease, the window that has it replaces the file. */
  private replace(): void {
    if (this.options.readOnly) return;
    this.lease ??= WriterLease.take(this.options.file);
    if (!this.lease) return;
    this.closeFile();
    const aside = setAside(this.options.file);
    createEmptyFile(this.options.file);
    this.options.onSetAside(aside);
  }

  private closeFile(): void {
    this.opened?.database.close();
    this.opened = undefined;
  }
}

/**
 * The right to write to a ledger, which one worker of all windows has. It is a lock of the system on an
 * empty file, taken by SQLite: it ends with the process that holds it, whatever the clock says.
 */
class WriterLease {
  private readonly database: DatabaseSync;
  private readonly file: string;

  private constructor(database: DatabaseSync, file: string) {
    this.database = database;
    this.file = file;
  }

  /** The lease of a ledger's file; undefined if another worker has it. */
  static take(ledgerFile: string): WriterLease | undefined {
    const file = leaseFile(ledgerFile);
    createIfMissing(file);
    const identity = identityOf(file);
    const database = new DatabaseSync(file);
    try {
      database.exec('BEGIN EXCLUSIVE');
      // The window that had the lease may have deleted the file.
      if (identity !== undefined && identityOf(file) === identity)
        return new WriterLease(database, file);
      database.close();
      return undefined;
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

  /** Some systems keep a file that is open: then it stays, empty. */
  delete(): void {
    try {
      rmSync(this.file, { force: true });
    } catch {
      // It has no data.
    }
    this.end();
  }
}

function leaseFile(ledgerFile: string): string {
  return `${ledgerFile}.lease`;
}
