import * as v from 'valibot';
import { columnLayoutSchema, type ColumnLayout } from '../../protocol/gridMessages.ts';
import { tableQuerySchema, type TableName, type TableQuery } from '../../protocol/table.ts';
import { storedValues, type StoredValue, type ValueStorage } from '../../base/storedValue.ts';
import { defaultLayout, tableSources, type TableSource } from '../../protocol/values.ts';

export const pageSizes: readonly number[] = [20, 50, 100, 500];

/** The tables, and the grids of the account overview, of the analysis, of a receipt and of a comparison. */
type GridName = TableName | 'positions' | 'analysis' | 'returnedOrders' | 'comparison';

/** What the user chose for each table. */
export type TableChoices = {
  readonly layout: (grid: GridName) => StoredValue<ColumnLayout>;
  /** Undefined before the first choice. */
  readonly source: (table: TableName) => StoredValue<TableSource | undefined>;
  readonly pageSize: (table: TableName) => StoredValue<number>;
  /** The last query of each open panel, by its key: a reload shows its filters and page again. */
  readonly query: (panel: string) => StoredValue<TableQuery | undefined>;
};

/** In any window; the queries in this one. */
export function storedTableChoices(storage: ValueStorage, ofWindow: ValueStorage): TableChoices {
  const source = v.optional(v.picklist(tableSources));
  return {
    layout: storedValues(storage, 'marginDesk.columnLayout', columnLayoutSchema, defaultLayout),
    source: storedValues(storage, 'marginDesk.source', source, undefined),
    pageSize: storedValues(storage, 'marginDesk.pageSize', v.picklist(pageSizes), 100),
    query: storedValues(ofWindow, 'marginDesk.query', v.optional(tableQuerySchema), undefined),
  };
}
