import type { Histories } from '../../account/histories.ts';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
import type { Snapshot } from '../../account/accountStore.ts';
import type { Session } from '../../account/session.ts';
import type { Display } from '../../base/display.ts';
import type {
  Cell,
  Column,
  Filter,
  TableFilters,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import type { OfferedNames } from './offeredNames.ts';

/** Where a table's rows come from. */
export type Source = {
  readonly session: Session;
  readonly histories: Histories;
  /** For the words that come with the rows. */
  readonly display: Display;
};

/** One table: what it is called, its columns and filters, and how a page of it is read. */
export type Table = {
  readonly title: string;
  /** What a reader must know of all rows; empty where there is nothing to say. */
  readonly note: string;
  readonly columns: readonly Column[];
  /** Empty for a table that comes whole. */
  readonly pageSizes: readonly number[];
  filters(names: OfferedNames): readonly Filter[];
  /** What an export of the rows of these filters reads; null where there is none. Throws a SentenceError. */
  readonly subjectOf: ((filters: TableFilters) => ExportSubject) | null;
  /** What a table says of the account beside these rows; it follows the newest snapshot, if there is one. */
  readonly ofAccount?: (
    rows: TableRows['rows'],
    snapshot: Snapshot | undefined,
    display: Display,
  ) => Pick<TablePage, 'marks' | 'facts'>;
  /** Rejects with ExchangeError, SentenceError, or an abort. */
  read(source: Source, query: TableQuery, signal: AbortSignal): Promise<TableRows>;
};

/** A page without what its panel adds. */
export type TableRows = Omit<TablePage, 'number' | 'readAt' | 'marks' | 'startRow'>;

/** A column of a record: its field is one that the record type has. */
export type ColumnOf<Item> = Column & { readonly field: Exclude<keyof Item & string, 'extra'> };

/** A record as the cells of `columns`: the text of the wire. */
export function cellsOf<Item>(item: Item, columns: readonly ColumnOf<Item>[]): readonly Cell[] {
  return columns.map(({ field }) => cellOf(item[field]));
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : null;
}
