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
 * for this user alone, the newest 200. A damaged file is never deleted: it is set aside under another
 * name when somebody can be told of it.
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
    const names = (await this.receiptNames()).filter((name) => !(sentAtIn(name) < sentAtMs));
    const read = await Promise.all(names.map((name) => this.readOne(name)));
    return read.filter((one) => typeof one === 'object');
  }

  /** Every receipt that is kept; damaged ones are set aside now. */
  async all(): Promise<KeptReceipts> {
    const names = await this.receiptNames();
    const read = await Promise.all(names.map((name) => this.readOne(name)));
    const damaged = names.filter((_name, index) => read[index] === 'damaged');
    return {
      receipts: read.filter((one) => typeof one === 'object'),
      setAside: await Promise.all(damaged.map((name) => this.setAside(name))),
    };
  }

  /** Deletes every receipt, and drafts that were never finished; gives what is set aside instead. */
  async deleteAll(): Promise<readonly string[]> {
    const { setAside } = await this.all();
    const names = (await this.names()).filter((name) => /\.json(?:\.draft)?$/.test(name));
    await Promise.all(names.map((name) => rm(path.join(this.folder, name), { force: true })));
    return setAside;
  }

  /** Undefined when it is gone. */
  private async readOne(name: string): Promise<Receipt | 'damaged' | undefined> {
    const text = await readFile(path.join(this.folder, name), 'utf8').catch(undefinedIfGone);
    return text === undefined ? undefined : (parseReceipt(text) ?? 'damaged');
  }

  /** Gives the name that the file has from now on. */
  private async setAside(name: string): Promise<string> {
    const aside = `${name}.damaged`;
    const [from, to] = [name, aside].map((one) => path.join(this.folder, one)) as [string, string];
    await rename(from, to).catch(undefinedIfGone);
    return aside;
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
