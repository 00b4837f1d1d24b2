import * as v from 'valibot';
import type { Memento } from 'vscode';
import { tableQuerySchema, type TableQuery } from '../../protocol/table.ts';

/** The last query of each open panel, by its key: a reload shows its filters and page again. */
export class PanelQueries {
  private readonly storage: Memento;

  constructor(storage: Memento) {
    this.storage = storage;
  }

  queryOf(panel: string): TableQuery | undefined {
    const stored = v.safeParse(tableQuerySchema, this.storage.get(storageKey(panel)));
    return stored.success ? stored.output : undefined;
  }

  async keep(panel: string, query: TableQuery): Promise<void> {
    await this.storage.update(storageKey(panel), query);
  }

  async forget(panel: string): Promise<void> {
    await this.storage.update(storageKey(panel), undefined);
  }
}

function storageKey(panel: string): string {
  return `marginDesk.query.${panel}`;
}
