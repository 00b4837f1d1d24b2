import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import type { Display } from '../../base/display.ts';
import type { HistorySelection } from '../../exchange/history/historyRecords.ts';
import type { BadRecord } from '../../exchange/records.ts';
import type {
  Cell,
  Column,
  Filter,
  SummaryGroup,
  TableFilters,
  TablePage,
} from '../../protocol/table.ts';
import type { FilterSuggestions } from './tableFilters.ts';

type TableParts = {
  readonly title: string;
  readonly columns: readonly Column[];
};

/** A history: read page by page, with filters. */
export type HistoryTable = TableParts & {
  readonly kind: 'history';
  /** A remark above the rows. */
  readonly note?: string;
  filters(suggestions: FilterSuggestions): readonly Filter[];
  /** The operation with its parameters, except for the period and the page. */
  request(filters: TableFilters): HistorySelection;
};

/** Reference data: read at once, without filters or pages. */
export type ReferenceTable = TableParts & {
  readonly kind: 'reference';
  /** Rejects with ExchangeError or the signal's reason. */
  read(client: AccountSession['client'], signal: AbortSignal): Promise<ReferenceData>;
  /** The marks and figures that come from the account; they follow its newest snapshot. */
  readonly accountAnnotations?: (
    rows: readonly CellRow[],
    snapshot: Snapshot | undefined,
    display: Display,
  ) => Pick<TablePage, 'marks' | 'summary'>;
};

export type TableDefinition = HistoryTable | ReferenceTable;

export type ReferenceData = {
  readonly items: readonly object[];
  readonly badRecords: readonly BadRecord[];
  readonly summary?: readonly SummaryGroup[];
};

export type CellRow = readonly Cell[];

/** The rows of a page, without what the panel adds to them. */
export type TableRows = Omit<TablePage, 'id' | 'readAt' | 'marks' | 'startRow'>;

/** A column of a record: its field is one that the record type has. */
export type RecordColumn<Item> = Column & { readonly field: Exclude<keyof Item & string, 'extra'> };

/** The fields of a record in the order of the columns, as the exchange wrote them. */
export function cellsOf(item: object, columns: readonly Column[]): CellRow {
  return columns.map(({ field }) => {
    const value = (item as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'boolean') return String(value);
    return typeof value === 'string' ? value : null;
  });
}
