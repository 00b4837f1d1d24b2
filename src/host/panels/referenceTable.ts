import type { Session } from '../../account/session.ts';
import type { BadRecord } from '../../exchange/records.ts';
import { inWords } from '../words.ts';
import { cellsOf, type ColumnOf, type Table, type TableRows } from './table.ts';

export type ReferenceTable<Item> = Pick<Table, 'title'> & {
  readonly columns: readonly ColumnOf<Item>[];
  readonly read: (session: Session, signal: AbortSignal) => Promise<ReferenceRows<Item>>;
};

export type ReferenceRows<Item> = Partial<Pick<TableRows, 'marks' | 'facts'>> & {
  readonly items: readonly Item[];
  readonly badRecords: readonly BadRecord[];
};

/** A table of reference data: it comes whole, without filters or pages. */
export function referenceTable<Item>({ title, columns, read }: ReferenceTable<Item>): Table {
  return {
    title,
    note: '',
    columns,
    pageSizes: [],
    subjectOf: null,
    filters: () => [],
    read: async ({ session }, _query, signal) => {
      const { items, badRecords, marks = [], facts = [] } = await read(session, signal);
      const count = String(items.length + badRecords.length);
      return {
        rows: items.map((item) => cellsOf(item, columns)),
        marks,
        facts,
        notes: [],
        leftOut: 0,
        rowsBefore: null,
        size: count,
        totalPages: '1',
        totalElements: count,
        badRecords: badRecords.map(({ problem }) => inWords(problem)),
      };
    },
  };
}
