import type { Memento } from 'vscode';
import type { TableName } from '../../protocol/table.ts';

export const pageSizes: readonly number[] = [20, 50, 100, 500];

const defaultSize = 100;
const storageKey = 'marginDesk.pageSizes';

type StoredSizes = Readonly<Partial<Record<TableName, unknown>>>;

/** How many rows a page of each table has, as the user chose last in any window. */
export class PageSizes {
  private readonly storage: Memento;

  constructor(storage: Memento) {
    this.storage = storage;
  }

  of(table: TableName): number {
    const size = this.stored[table];
    return pageSizes.find((known) => known === size) ?? defaultSize;
  }

  async remember(table: TableName, size: number): Promise<void> {
    if (size !== this.of(table))
      await this.storage.update(storageKey, { ...this.stored, [table]: size });
  }

  private get stored(): StoredSizes {
    return this.storage.get<StoredSizes>(storageKey) ?? {};
  }
}
