import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { LedgerClient, type LedgerClientOptions } from './ledgerClient.ts';
import { ledgerHistoryNames, type LedgerHistory } from './ledger.ts';
import { LedgerError, undefinedUnlessNewer } from './ledgerError.ts';
import { asideEnding, createIfMissing } from './storage/emptyFile.ts';
import { withStorageErrors } from './storage/storageErrors.ts';

type LedgersOptions = Omit<LedgerClientOptions, 'file' | 'readOnly'> & { readonly folder: string };

const extension = '.sqlite';

/** The ledgers in a folder: a file each, named by a random id. */
export class Ledgers {
  private readonly options: LedgersOptions;

  constructor(options: LedgersOptions) {
    this.options = options;
  }

  /** Whether this VS Code has SQLite. */
  static isSupported(): boolean {
    return isBuiltin('node:sqlite');
  }

  /** A new, empty ledger, unless there is one with this id; returns its id. */
  create(id: string = crypto.randomUUID()): string {
    this.prepareFolder();
    withStorageErrors(() => createIfMissing(this.fileOf(id)));
    return id;
  }

  /** The caller closes it. Its first call fails if there is no such ledger. */
  open(id: string): LedgerClient {
    return new LedgerClient({ ...this.options, file: this.fileOf(id) });
  }

  exists(id: string): boolean {
    return existsSync(this.fileOf(id));
  }

  ids(): readonly string[] {
    const { folder } = this.options;
    if (!existsSync(folder)) return [];
    const names = withStorageErrors(() => readdirSync(folder));
    return names
      .filter((name) => name.endsWith(extension))
      .map((name) => name.slice(0, -extension.length));
  }

  /** A new ledger with what a backup has; returns its id. The backup stays as it is. */
  async restore(backup: string): Promise<string> {
    this.prepareFolder();
    const id = crypto.randomUUID();
    const source = new LedgerClient({ ...this.options, file: backup, readOnly: true });
    try {
      await source.backUp(this.fileOf(id));
      return id;
    } finally {
      await source.close();
    }
  }

  /** From when on each history was downloaded into a file that was set aside, as far as it can be read. */
  async downloadedIn(file: string): Promise<ReadonlyMap<LedgerHistory, number>> {
    const source = new LedgerClient({ ...this.options, file, readOnly: true });
    const downloaded = new Map<LedgerHistory, number>();
    try {
      for (const history of ledgerHistoryNames) {
        const reads = await source.coverage(history);
        if (reads.length > 0) downloaded.set(history, Math.min(...reads.map(({ from }) => from)));
      }
    } catch (error) {
      // What can be read of such a file is a matter of chance.
      if (!(error instanceof LedgerError)) throw error;
    } finally {
      await source.close();
    }
    return downloaded;
  }

  /** Deletes a ledger and what was set aside of it. A window that has it open sees that it is missing. */
  delete(id: string): void {
    withStorageErrors(() => this.filesOf(id).forEach(remove));
  }

  /** The same; rejects if a newer version wrote the ledger, which stays with what was set aside of it. */
  async deleteUnlessNewer(id: string): Promise<void> {
    const { workerFile } = this.options;
    const ledger = new LedgerClient({ workerFile, file: this.fileOf(id) });
    try {
      // What cannot be read can be deleted.
      await ledger.versions().catch(undefinedUnlessNewer);
    } finally {
      await ledger.close();
    }
    this.delete(id);
  }

  /** Deletes a ledger that another one replaces, to which what was set aside of it belongs from then on. */
  replace(id: string, by: string): void {
    withStorageErrors(() => {
      for (const file of this.filesOf(id)) {
        const name = path.basename(file);
        const ending = name.slice(id.length);
        if (ending.startsWith(`${extension}${asideEnding}`))
          renameSync(file, path.join(this.options.folder, `${by}${ending}`));
        else remove(file);
      }
    });
  }

  /** What a ledger takes: its file and journal, and what was set aside of it. */
  bytesOf(id: string): number {
    const sizes = withStorageErrors(() =>
      this.filesOf(id).map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  private filesOf(id: string): readonly string[] {
    const { folder } = this.options;
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names
      .filter((name) => name.startsWith(`${id}${extension}`))
      .map((name) => path.join(folder, name));
  }

  private prepareFolder(): void {
    if (!Ledgers.isSupported()) throw new LedgerError('unsupported');
    withStorageErrors(() => mkdirSync(this.options.folder, { recursive: true, mode: 0o700 }));
  }

  fileOf(id: string): string {
    return path.join(this.options.folder, `${id}${extension}`);
  }
}

/** Another window may remove its journal meanwhile. */
function remove(file: string): void {
  rmSync(file, { force: true });
}
