import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import type { Display } from '../../base/display.ts';
import type { HistoryFilters, HistoryName } from '../../exchange/history/historyRecords.ts';
import type { BadRecord } from '../../exchange/records.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { Column, SummaryGroup, TablePage } from '../../protocol/table.ts';
import type { CellRow } from '../webview/recordCells.ts';
import type { FilterOf, FilterSuggestions } from './tableFilters.ts';

type TableParts = {
  readonly title: string;
  /** The title of the tab; `title` unless given. */
  readonly tabTitle?: string;
  readonly columns: readonly Column[];
};

/** A history: read page by page, with filters. */
export type HistoryTableOf<Name extends HistoryName> = TableParts & {
  readonly kind: 'history';
  readonly operation: Name;
  /** A remark above the rows. */
  readonly note?: string;
  filters(
    suggestions: FilterSuggestions,
  ): readonly FilterOf<keyof HistoryFilters<Name> | 'dateFrom' | 'dateTo'>[];
  /** The values that are sent unless others are chosen. */
  readonly defaults?: Partial<HistoryFilters<Name>>;
};
export type HistoryTable = { [Name in HistoryName]: HistoryTableOf<Name> }[HistoryName];

/** Reference data: read at once, without filters or pages. */
export type ReferenceTable = TableParts & {
  readonly kind: 'reference';
  readonly operation: 'exchangeInfo' | 'leverage' | 'feeTiers';
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

type ReferenceData = {
  readonly items: readonly object[];
  readonly badRecords: readonly BadRecord[];
  readonly summary?: readonly SummaryGroup[];
};

/** A page as it was read, without what the panel adds to it. */
export type TableRows = Omit<TablePage, 'id' | 'readAt' | 'marks' | 'startRow' | 'isStartMissing'>;

/** The same with records in place of rows. */
export type PageRecords = Omit<TableRows, 'rows'> & {
  readonly items: readonly object[];
  /** How many rows an export of these filters has; undefined if the page does not tell. */
  readonly matchingRows?: number | undefined;
  /** Only of rows of the ledger. */
  readonly ledgerRead?: LedgerRead;
};

/** What was read of the ledger, beside the rows. */
export type LedgerRead = {
  readonly history: LedgerHistory;
  /** Of the history, before its rows were read. */
  readonly version: string;
  /** The indexes of the rows that the exchange no longer lists. */
  readonly unlisted: readonly number[];
};
