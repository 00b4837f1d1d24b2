import type { Histories } from '../../account/histories.ts';
import type { PanelPage } from '../../account/slicedPages.ts';
import type { HistoryRequest } from '../../exchange/walk/clientHistory.ts';
import type { TableFilters, TableQuery } from '../../protocol/table.ts';
import { periodOf } from './filterValues.ts';
import { pageNotes } from './pageNotes.ts';
import { inWords } from '../words.ts';
import { cellsOf, type ColumnOf, type Table } from './table.ts';

export type HistoryTable<Item> = Pick<Table, 'title' | 'filters'> & {
  readonly note?: string;
  readonly columns: readonly ColumnOf<Item>[];
  /** The operation that these rows come from, with its filters; the period apart. */
  readonly request: (filters: TableFilters) => HistoryRequest;
  readonly read: (
    histories: Histories,
    query: TableQuery,
    signal: AbortSignal,
  ) => Promise<PanelPage<Item>>;
};

/** A table of one of the histories: filtered, and read page by page. */
export function historyTable<Item>({ read, request, ...parts }: HistoryTable<Item>): Table {
  return {
    note: '',
    ...parts,
    pageSizes: [20, 50, 100, 500],
    subjectOf: (filters) => {
      const { dateFrom: from, dateTo: to } = periodOf(filters);
      return { request: request(filters), period: { from, to } };
    },
    read: async ({ histories, display }, query, signal) => {
      const page = await read(histories, query, signal);
      const { content, size, totalPages, totalElements } = page.value;
      return {
        rows: content.map((item) => cellsOf(item, parts.columns)),
        facts: [],
        notes: pageNotes(page, query, display),
        leftOut: page.outside,
        rowsBefore: page.rowsBefore,
        size,
        totalPages,
        totalElements,
        badRecords: page.badRecords.map(({ problem }) => inWords(problem, display)),
      };
    },
  };
}
