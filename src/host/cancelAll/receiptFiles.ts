import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseReceipt, type Receipt, type ReceiptStore } from '../../account/cancelAll/receipts.ts';

/** The names of files that are no receipts of this version. */
export type OtherFiles = {
  /** As they are called since they were set aside. */
  readonly damaged: readonly string[];
  /** They stay as they are: the version that wrote them reads them. */
  readonly ofOtherVersion: readonly string[];
};
/** The readable receipts, newest first. */
type StoredReceipts = OtherFiles & { readonly receipts: readonly Receipt[] };
type Unreadable = Extract<ReturnType<typeof parseReceipt>, string>;

export const maxReceipts = 200;

/**
 * One file per receipt, so that no window overwrites another's. Files are written whole or not at all,
 * readable by this user only, and the newest 200 are kept. A damaged file is never deleted: it is
 * renamed when the list of receipts is shown. One of another version is left alone.
 */
export class ReceiptFiles implements ReceiptStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Writes synchronously: the request waits for it, and a busy event loop would delay it. */
  async save(receipt: Receipt): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    // Names sort by the time of sending.
    const name = `${String(receipt.sentAt).padStart(16, '0')}-${receipt.id}.json`;
    const file = path.join(this.folder, name);
    writeFileSync(`${file}.draft`, JSON.stringify(receipt, undefined, 1), { mode: 0o600 });
    renameSync(`${file}.draft`, file);
    // It is stored: an old file that cannot be deleted is left for the next time.
    if (receipt.endedAt !== null) await this.pruneOldest().catch(() => undefined);
  }

  async sentSince(sentAtMs: number): Promise<readonly Receipt[]> {
    // NaN from the name of another file.
    const names = (await this.receiptNames()).filter(
      (name) => !(Number.parseInt(name, 10) < sentAtMs),
    );
    const read = await Promise.all(names.map((name) => this.readOne(name)));
    return read.filter((one) => typeof one === 'object');
  }

  /** Undefined when it is gone or cannot be read. */
  async byId(id: string): Promise<Receipt | undefined> {
    const name = (await this.receiptNames()).find((one) => one.endsWith(`-${id}.json`));
    const read = name === undefined ? undefined : await this.readOne(name);
    return typeof read === 'object' ? read : undefined;
  }

  /** All receipts; damaged ones are set aside. */
  async all(): Promise<StoredReceipts> {
    const names = await this.receiptNames();
    const read = await Promise.all(names.map((name) => this.readOne(name)));
    const unreadable = (as: Unreadable) => names.filter((_name, index) => read[index] === as);
    return {
      receipts: read.filter((one) => typeof one === 'object'),
      damaged: await Promise.all(unreadable('damaged').map((name) => this.setAside(name))),
      ofOtherVersion: unreadable('ofOtherVersion'),
    };
  }

  /** Deletes all receipts and unfinished drafts; gives the files that stay. */
  async deleteAll(): Promise<OtherFiles> {
    const { damaged } = await this.all();
    const names = (await this.fileNames()).filter((name) => /\.json(?:\.draft)?$/.test(name));
    const ofOtherVersion: string[] = [];
    for (const name of names)
      if ((await this.readOne(name)) === 'ofOtherVersion') ofOtherVersion.push(name);
      else await rm(path.join(this.folder, name), { force: true });
    return { damaged, ofOtherVersion };
  }

  /** Undefined when it is gone. */
  private async readOne(name: string): Promise<Receipt | Unreadable | undefined> {
    const text = await readFile(path.join(this.folder, name), 'utf8').catch(undefinedIfGone);
    return text === undefined ? undefined : parseReceipt(text);
  }

  /** Gives the new name of the file. */
  private async setAside(name: string): Promise<string> {
    const aside = `${name}.damaged`;
    const [from, to] = [name, aside].map((one) => path.join(this.folder, one)) as [string, string];
    await rename(from, to).catch(undefinedIfGone);
    return aside;
  }

  private async pruneOldest(): Promise<void> {
    for (const name of (await this.receiptNames()).slice(maxReceipts)) {
      const isReadable = typeof (await this.readOne(name)) === 'object';
      if (isReadable) await rm(path.join(this.folder, name), { force: true });
    }
  }

  /** Newest first. */
  private async receiptNames(): Promise<readonly string[]> {
    return (await this.fileNames())
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse();
  }

  private async fileNames(): Promise<readonly string[]> {
    return (await readdir(this.folder).catch(undefinedIfGone)) ?? [];
  }
}

function undefinedIfGone(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
