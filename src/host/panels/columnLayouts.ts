import * as v from 'valibot';
import type { Memento } from 'vscode';
import { columnLayoutSchema, type ColumnLayout } from '../../protocol/gridMessages.ts';
import type { TableName } from '../../protocol/table.ts';

const noLayout: ColumnLayout = { order: [], hidden: [], widths: {} };

/** How the user arranged the columns of each table. It is kept for all windows, without any row. */
export class ColumnLayouts {
  private readonly storage: Memento;

  constructor(storage: Memento) {
    this.storage = storage;
  }

  /** The stored layout; none if what is stored is no layout. */
  get(table: TableName): ColumnLayout {
    const stored = v.safeParse(columnLayoutSchema, this.storage.get(keyOf(table)));
    return stored.success ? stored.output : noLayout;
  }

  async set(table: TableName, layout: ColumnLayout): Promise<void> {
    await this.storage.update(keyOf(table), layout);
  }
}

function keyOf(table: TableName): string {
  return `columnLayout.${table}`;
}
