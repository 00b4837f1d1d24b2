import * as v from 'valibot';
import type { Memento } from 'vscode';
import {
  columnLayoutSchema,
  defaultLayout,
  type ColumnLayout,
} from '../../protocol/gridMessages.ts';
import type { TableName } from '../../protocol/table.ts';

export const pageSizes: readonly number[] = [20, 50, 100, 500];
const defaultSize = 100;

/** What the user chose for each table, in any window: the layout of its columns and the page size. */
export class TableChoices {
  private readonly storage: Memento;

  constructor(storage: Memento) {
    this.storage = storage;
  }

  layoutOf(table: TableName): ColumnLayout {
    const stored = v.safeParse(columnLayoutSchema, this.storage.get(layoutKey(table)));
    return stored.success ? stored.output : defaultLayout;
  }

  async keepLayout(table: TableName, layout: ColumnLayout): Promise<void> {
    await this.storage.update(layoutKey(table), layout);
  }

  pageSizeOf(table: TableName): number {
    const size = this.storage.get(pageSizeKey(table));
    return pageSizes.find((known) => known === size) ?? defaultSize;
  }

  async keepPageSize(table: TableName, size: number): Promise<void> {
    if (size !== this.pageSizeOf(table)) await this.storage.update(pageSizeKey(table), size);
  }
}

function layoutKey(table: TableName): string {
  return `marginDesk.columnLayout.${table}`;
}

function pageSizeKey(table: TableName): string {
  return `marginDesk.pageSize.${table}`;
}
