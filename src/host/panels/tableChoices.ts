import { isDeepStrictEqual } from 'node:util';
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
const maxWrites = 3;

/** The tables, and the grids of the account overview, of the analysis and of a receipt. */
type GridName = TableName | 'positions' | 'analysis' | 'returnedOrders';

/** What the user chose for each table, in any window: columns, page size, and where rows are read. */
export class TableChoices {
  private readonly storage: Memento;
  /** By key, until VS Code has them. */
  private readonly pending = new Map<string, unknown>();

  constructor(storage: Memento) {
    this.storage = storage;
  }

  layoutOf(table: GridName): ColumnLayout {
    const stored = v.safeParse(columnLayoutSchema, this.read(layoutKey(table)));
    return stored.success ? stored.output : defaultLayout;
  }

  async keepLayout(table: GridName, layout: ColumnLayout): Promise<void> {
    await this.write(layoutKey(table), layout);
  }

  /** Undefined before the first choice. */
  sourceOf(table: TableName): TableSource | undefined {
    const source = this.read(sourceKey(table));
    return tableSources.find((known) => known === source);
  }

  async keepSource(table: TableName, source: TableSource): Promise<void> {
    await this.write(sourceKey(table), source);
  }

  pageSizeOf(table: TableName): number {
    const size = this.read(pageSizeKey(table));
    return pageSizes.find((known) => known === size) ?? defaultSize;
  }

  async keepPageSize(table: TableName, size: number): Promise<void> {
    if (size !== this.pageSizeOf(table)) await this.write(pageSizeKey(table), size);
  }

  private read(key: string): unknown {
    return this.pending.has(key) ? this.pending.get(key) : this.storage.get(key);
  }

  /** VS Code loses a value if it learns of an earlier write at the same moment: then it is written again. */
  private async write(key: string, value: unknown): Promise<void> {
    this.pending.set(key, value);
    try {
      for (let attempt = 1; attempt <= maxWrites; attempt += 1) {
        await this.storage.update(key, value);
        const isNewest = this.pending.get(key) === value;
        if (!isNewest || isDeepStrictEqual(this.storage.get(key), value)) break;
      }
    } finally {
      if (this.pending.get(key) === value) this.pending.delete(key);
    }
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
