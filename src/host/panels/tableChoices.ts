import * as v from 'valibot';
import type { Memento } from 'vscode';
import {
  columnLayoutSchema,
  defaultLayout,
  type ColumnLayout,
} from '../../protocol/gridMessages.ts';
import { tableSources, type TableName, type TableSource } from '../../protocol/table.ts';

export const pageSizes: readonly number[] = [20, 50, 100, 500];
const defaultSize = 100;

/** The tables, and the grids of the account overview, of the analysis and of a receipt. */
type GridName = TableName | 'positions' | 'analysis' | 'returnedOrders';

/** What the user chose for each table, in any window: columns, page size, and where rows are read. */
export class TableChoices {
  private readonly storage: Memento;

  constructor(storage: Memento) {
    this.storage = storage;
  }

  layoutOf(table: GridName): ColumnLayout {
    const stored = v.safeParse(columnLayoutSchema, this.storage.get(layoutKey(table)));
    return stored.success ? stored.output : defaultLayout;
  }

  async keepLayout(table: GridName, layout: ColumnLayout): Promise<void> {
    await this.storage.update(layoutKey(table), layout);
  }

  /** Undefined before the first choice. */
  sourceOf(table: TableName): TableSource | undefined {
    const source = this.storage.get(sourceKey(table));
    return tableSources.find((known) => known === source);
  }

  async keepSource(table: TableName, source: TableSource): Promise<void> {
    await this.storage.update(sourceKey(table), source);
  }

  pageSizeOf(table: TableName): number {
    const size = this.storage.get(pageSizeKey(table));
    return pageSizes.find((known) => known === size) ?? defaultSize;
  }

  async keepPageSize(table: TableName, size: number): Promise<void> {
    if (size !== this.pageSizeOf(table)) await this.storage.update(pageSizeKey(table), size);
  }
}

function sourceKey(table: TableName): string {
  return `marginDesk.source.${table}`;
}

function layoutKey(table: GridName): string {
  return `marginDesk.columnLayout.${table}`;
}

function pageSizeKey(table: TableName): string {
  return `marginDesk.pageSize.${table}`;
}
