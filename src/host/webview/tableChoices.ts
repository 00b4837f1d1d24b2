import * as v from 'valibot';
import {
  columnLayoutSchema,
  defaultLayout,
  type ColumnLayout,
} from '../../protocol/gridMessages.ts';
import {
  tableQuerySchema,
  tableSources,
  type TableName,
  type TableQuery,
  type TableSource,
} from '../../protocol/table.ts';
import { storedValues, type StoredValue, type ValueStorage } from '../shared/storedValue.ts';

export const pageSizes: readonly number[] = [20, 50, 100, 500];

/** The tables, and the grids of the account overview, of the analysis and of a receipt. */
type GridName = TableName | 'positions' | 'analysis' | 'returnedOrders';

/** What the user chose for each table, in any window: columns, page size, and where rows are read. */
export type TableChoices = {
  readonly layout: (grid: GridName) => StoredValue<ColumnLayout>;
  /** Undefined before the first choice. */
  readonly source: (table: TableName) => StoredValue<TableSource | undefined>;
  readonly pageSize: (table: TableName) => StoredValue<number>;
};

export function storedTableChoices(storage: ValueStorage): TableChoices {
  const source = v.optional(v.picklist(tableSources));
  return {
    layout: storedValues(storage, 'marginDesk.columnLayout', columnLayoutSchema, defaultLayout),
    source: storedValues(storage, 'marginDesk.source', source, undefined),
    pageSize: storedValues(storage, 'marginDesk.pageSize', v.picklist(pageSizes), 100),
  };
}

/** The last query of each open panel, by its key: a reload shows its filters and page again. */
export type PanelQueries = (panel: string) => StoredValue<TableQuery | undefined>;

export function storedQueries(storage: ValueStorage): PanelQueries {
  return storedValues(storage, 'marginDesk.query', v.optional(tableQuerySchema), undefined);
}
