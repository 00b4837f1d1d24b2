import { filtersOf, historyTables } from '../../src/host/tables/histories.ts';
import { recordFields } from '../../src/host/webview/recordCells.ts';
import { type HistoryTable } from '../../src/host/tables/definition.ts';
import { cellOf } from '../../src/host/webview/recordCells.ts';
import type { Handlers } from '../../src/protocol/messages.ts';
import type { TableDescription, TablePage, TableMethods } from '../../src/protocol/table.ts';
import { defaultLayout } from '../../src/protocol/values.ts';
import { mask, type Display } from '../../src/base/display.ts';
import { tablePage } from './tablePage.ts';

/** What a page asked of its host, by method. */
export type Asked = { [Name in keyof TableMethods]?: TableMethods[Name]['params'][] };

export type GridHost = {
  display: Display;
  readonly handlers: Handlers<TableMethods>;
  readonly asked: Asked;
};

export type GridHostOptions = {
  readonly records: readonly object[];
  readonly display: Display;
  readonly table?: HistoryTable;
  /** What differs from the description of the table. */
  readonly described?: Partial<TableDescription>;
  /** What is found for a row: the first record unless given. */
  readonly related?: readonly object[];
  /** What differs from a page that has all rows. */
  readonly paged?: Partial<TablePage>;
};

/** A host with one page of records, which remembers what it is asked. */
export function gridHost({
  records,
  display,
  table = historyTables().trades,
  described = {},
  related = records.slice(0, 1),
  paged = {},
}: GridHostOptions): GridHost {
  const asked: Asked = {};
  const note = <Name extends keyof TableMethods>(
    name: Name,
    params: TableMethods[Name]['params'],
  ): void => {
    ((asked[name] ??= []) as unknown[]).push(params);
  };
  const description: TableDescription = {
    table: table.operation,
    title: table.title,
    note: '',
    columns: table.columns,
    filters: filtersOf(table, { symbols: ['btc_usdt'], assets: ['usdt'] }),
    pageSizes: [20, 50, 100, 500],
    pageSize: 100,
    source: null,
    context: { profile: 'Main', environment: 'TEST', session: 1 },
    display: display.settings,
    query: null,
    initialFilters: null,
    areDetailsOpen: false,
    layout: defaultLayout,
    kept: null,
    ...described,
  };
  let pageId = 0;
  const handlers: Handlers<TableMethods> = {
    'table/open': () => description,
    'table/page': (query) => {
      note('table/page', query);
      return { ...pageOf((pageId += 1), records, table, host.display), ...paged };
    },
    'table/synchronise': () => undefined,
    'table/source': (source) => note('table/source', source),
    'table/prefetch': () => undefined,
    'table/weight': () => '',
    'table/keep': (view) => note('table/keep', view),
    'table/openLink': (link) => note('table/openLink', link),
    'table/runAction': (action) => note('table/runAction', action),
    'table/export': (filters) => note('table/export', filters),
    'grid/copy': (request) => note('grid/copy', request),
    'grid/copyField': (field) => note('grid/copyField', field),
    'grid/layout': (next) => note('grid/layout', next),
    'table/openTrades': (row) => note('table/openTrades', row),
    'table/openPosition': (row) => note('table/openPosition', row),
    'table/details': ({ row }) => ({
      ...recordFields(records[row] ?? {}, table.columns, host.display),
      more: { label: 'Find Its Order (1 request)' },
    }),
    'table/related': (request) => {
      note('table/related', request);
      return {
        sentence: 'The order of this trade',
        records: related.map((record) => recordFields(record, table.columns, host.display)),
      };
    },
  };
  const host: GridHost = { handlers, asked, display };
  return host;
}

function pageOf(
  id: number,
  records: readonly object[],
  { columns }: HistoryTable,
  display: Display,
): TablePage {
  const rows = records.map((record) =>
    columns.map(({ field }) => (display.hides(field) ? mask : cellOf(record, field))),
  );
  return tablePage(rows, { id, readAt: 1763632800123 });
}
