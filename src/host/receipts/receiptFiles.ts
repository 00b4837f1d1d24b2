import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseReceipt, type Receipt, type ReceiptStore } from '../../account/receipts.ts';

/** The receipts that could be read, newest first, and the files of those that could not, set aside. */
export type KeptReceipts = {
  readonly receipts: readonly Receipt[];
  readonly setAside: readonly string[];
};

export const mostReceipts = 200;

/**
 * Receipts as files, one each, so that no window overwrites another's: written whole or not at all,
 * for this user alone, the newest 200. A damaged file is set aside under another name, never deleted.
 */
export class ReceiptFiles implements ReceiptStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async keep(receipt: Receipt): Promise<void> {
    this.write(receipt);
    if (receipt.endedAt !== null) await this.dropOldest();
  }

  /** At one go: the request waits for its mark, and each turn of a busy window would make it wait longer. */
  private write(receipt: Receipt): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.folder, nameOf(receipt));
    const draft = `${file}.draft`;
    writeFileSync(draft, JSON.stringify(receipt, undefined, 1), { mode: 0o600 });
    renameSync(draft, file);
  }

  async since(sentAtMs: number): Promise<readonly Receipt[]> {
    return (await this.read(sentAtMs)).receipts;
  }

  /** Every receipt that is kept. */
  all(): Promise<KeptReceipts> {
    return this.read(0);
  }

  /** Deletes every receipt, and drafts that were never finished; what was set aside stays. */
  async deleteAll(): Promise<void> {
    const names = (await this.names()).filter((name) => /\.json(?:\.draft)?$/.test(name));
    await Promise.all(names.map((name) => rm(path.join(this.folder, name), { force: true })));
  }

  private async read(sentAtMs: number): Promise<KeptReceipts> {
    const names = (await this.receiptNames()).filter((name) => !(sentAtIn(name) < sentAtMs));
    const read = await Promise.all(names.map((name) => this.readOne(name)));
    return {
      receipts: read.filter((one) => typeof one === 'object'),
      setAside: read.filter((one) => typeof one === 'string'),
    };
  }

  /** The receipt, or the name that its file was set aside under; undefined when it is gone. */
  private async readOne(name: string): Promise<Receipt | string | undefined> {
    const file = path.join(this.folder, name);
    const text = await readFile(file, 'utf8').catch(undefinedIfGone);
    if (text === undefined) return undefined;
    const receipt = parseReceipt(text);
    if (receipt) return receipt;
    await rename(file, `${file}.damaged`).catch(undefinedIfGone);
    return `${name}.damaged`;
  }

  private async dropOldest(): Promise<void> {
    for (const name of (await this.receiptNames()).slice(mostReceipts)) {
      const isReadable = typeof (await this.readOne(name)) === 'object';
      if (isReadable) await rm(path.join(this.folder, name), { force: true });
    }
  }

  /** Newest first. */
  private async receiptNames(): Promise<readonly string[]> {
    return (await this.names())
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse();
  }

  private async names(): Promise<readonly string[]> {
    return (await readdir(this.folder).catch(undefinedIfGone)) ?? [];
  }
}

/** Sorts by the time of sending; `sentAtIn` reads it again, NaN from a name that is none of ours. */
function nameOf({ sentAt, id }: Receipt): string {
  return `${String(sentAt).padStart(16, '0')}-${id}.json`;
}

function sentAtIn(name: string): number {
  return Number.parseInt(name, 10);
}

function undefinedIfGone(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
