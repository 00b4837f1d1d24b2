import type { Session } from '../../account/session.ts';
import type { BadRecord } from '../../exchange/records.ts';
import { inWords } from '../words.ts';
import { cellsOf, type ColumnOf, type Table, type TableRows } from './table.ts';

export type ReferenceTable<Item> = Pick<Table, 'title' | 'ofAccount'> & {
  readonly columns: readonly ColumnOf<Item>[];
  readonly read: (session: Session, signal: AbortSignal) => Promise<ReferenceRows<Item>>;
};

export type ReferenceRows<Item> = Partial<Pick<TableRows, 'facts'>> & {
  readonly items: readonly Item[];
  readonly badRecords: readonly BadRecord[];
};

/** A table of reference data: it comes whole, without filters or pages. */
export function referenceTable<Item>({ columns, read, ...parts }: ReferenceTable<Item>): Table {
  return {
    ...parts,
    note: '',
    columns,
    pageSizes: [],
    subjectOf: null,
    filters: () => [],
    read: async ({ session, display }, _query, signal) => {
      if (parts.ofAccount) readAccount(session);
      const { items, badRecords, facts = [] } = await read(session, signal);
      const count = String(items.length + badRecords.length);
      return {
        rows: items.map((item) => cellsOf(item, columns)),
        facts,
        notes: [],
        leftOut: 0,
        rowsBefore: null,
        size: count,
        totalPages: '1',
        totalElements: count,
        badRecords: badRecords.map(({ problem }) => inWords(problem, display)),
      };
    },
  };
}

/** Nobody may poll the account now. The rows do not wait for it: what they say of it follows. */
function readAccount({ store, freshness, refresher }: Session): void {
  if (store.state.snapshot && freshness.staleMs === undefined) return;
  refresher.refresh().catch(() => undefined);
}
