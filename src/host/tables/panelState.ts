import type { AccountSession } from '../../account/session/accountSession.ts';
import { isSame } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type {
  Column,
  LedgerFigures,
  PageView,
  TableFilters,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import { hasSameFilters } from '../../protocol/tableQuery.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import { t } from '../shared/translate.ts';
import { maskCells, masked, type CellRow } from '../webview/recordCells.ts';
import type { Services } from '../settings/services.ts';

/** A page of rows as it was read, with every figure. */
export type RowPage = Omit<
  TablePage,
  'id' | 'readAt' | 'rows' | 'marks' | 'startRow' | 'isStartMissing'
> & {
  readonly records: readonly object[];
  /** How many rows an export of these filters has; undefined if the page does not tell. */
  readonly matchingRows?: number | undefined;
  /** Only of rows of the ledger. */
  readonly stored?: StoredRows;
};

type StoredRows = {
  readonly history: LedgerHistory;
  /** Of the history, before its rows were read. */
  readonly version: string;
  /** The indexes of the rows that the exchange no longer lists. */
  readonly unlisted: readonly number[];
};

/** The ledger of the open account, if it has one. */
export type PanelLedger = Pick<AccountLedger, 'current' | 'onDidChange' | 'onDidWrite'>;

/** What a panel shows rows of. */
export type PanelSources = Pick<Services, 'active' | 'display'> & {
  readonly ledger: PanelLedger;
};

/** What rows are read with. `bulk` reads wait for all others. */
export type ReadContext = {
  readonly session: AccountSession;
  readonly ledger: PanelLedger;
  readonly display: Display;
  readonly signal: AbortSignal;
  readonly priority?: 'bulk';
};

/** Names the first row that has these texts, by field; `missing` is what to say if no row has them. */
export type StartAt = {
  readonly fields: Readonly<Record<string, string>>;
  readonly missing?: string;
};

/** A page as it was read. */
export type ReadPage = {
  readonly id: number;
  readonly query: TableQuery;
  readonly rows: RowPage;
  /** The records of `rows` in the order of the columns. */
  readonly cells: readonly CellRow[];
  readonly readAt: number;
  /** Of the account when it was requested, else the first that was known after that. */
  readonly tradingState: string | undefined;
};

/** What a panel shows, also while it is hidden and has no page. */
export type PanelState = {
  /** The last one, also of before a reload; null before the first. */
  readonly query: TableQuery | null;
  readonly page: ReadPage | null;
  /** Of the last query, if that failed. */
  readonly failure: Failure | null;
  /** What the page said of itself. */
  readonly view: PageView | null;
  /** The filters that a command opened the table with, until the page requests their rows. */
  readonly pending: TableFilters | null;
  /** Whether those are of a row of the ledger, whose details are wanted. */
  readonly isOfStoredRow: boolean;
  /** The row that a command asked for. */
  readonly startAt: StartAt | undefined;
  /** Whether the page has its description: one that still loads requests it anyway. */
  readonly isDescribed: boolean;
  /** The page that may have newer rows. */
  readonly outdatedPageId: number | null;
};

type Failure = { readonly query: TableQuery; readonly error: unknown; readonly at: number };

export const initialState: PanelState = {
  query: null,
  page: null,
  failure: null,
  view: null,
  pending: null,
  isOfStoredRow: false,
  startAt: undefined,
  isDescribed: false,
  outdatedPageId: null,
};

/** What a query changes. A page may never receive its description and request it again: filters of a command wait for it. */
export function queried({ pending }: PanelState, query: TableQuery): Partial<PanelState> {
  const { filters } = query;
  const isAwaited =
    pending !== null && hasSameFilters({ filters: { ...filters, ...pending } }, query);
  return { query, ...(isAwaited && { pending: null, isOfStoredRow: false }) };
}

/** There may be newer rows once orders or positions have changed since the page was requested. */
export function accountRead(
  { page }: PanelState,
  tradingState: string | undefined,
): Partial<PanelState> {
  if (!page || tradingState === undefined || tradingState === page.tradingState) return {};
  return page.tradingState === undefined
    ? { page: { ...page, tradingState } }
    : { outdatedPageId: page.id };
}

/** No rows of the account stay. The pages of another profile are others. */
export function accountChanged(
  { query }: PanelState,
  isOtherProfile: boolean,
): Partial<PanelState> {
  return {
    query: isOtherProfile && query ? { ...query, page: 0, part: undefined } : query,
    page: null,
    failure: null,
    view: null,
    startAt: undefined,
  };
}

/** A page as it may leave the host, with what the account says beside its rows. */
export function shownPage(
  { id, readAt, rows: read, cells }: ReadPage,
  annotations: Pick<TablePage, 'marks' | 'summary' | 'notes'>,
  startAt: StartAt | undefined,
  columns: readonly Column[],
  display: Display,
): TablePage {
  const { records: _records, matchingRows: _count, stored, ...page } = read;
  const startRow = startRowOf(cells, columns, startAt);
  const missing = startRow === null ? startAt?.missing : undefined;
  const label = t('no longer listed');
  const unlisted = (stored?.unlisted ?? []).map((row) => ({ row, label }));
  const shown = {
    ...page,
    id,
    readAt,
    rows: cells,
    marks: [...unlisted, ...annotations.marks],
    summary: [...page.summary, ...annotations.summary],
    notes: [...page.notes, ...annotations.notes, ...(missing === undefined ? [] : [missing])],
    startRow,
    isStartMissing: startRow === null && startAt !== undefined,
  };
  return maskPage(shown, columns, display);
}

/** Replaces the figures that privacy hides: they never reach the page. */
function maskPage(page: TablePage, columns: readonly Column[], display: Display): TablePage {
  if (!display.settings.hidesMoney) return page;
  return {
    ...page,
    rows: page.rows.map((cells) => maskCells(cells, columns, display)),
    summary: page.summary.map((group) => ({
      ...group,
      items: group.items.map((item) => ({ ...item, cell: masked(item.cell, item.field, display) })),
    })),
    ...(page.ledger ? { ledger: withoutHidden(page.ledger, display) } : {}),
  };
}

function withoutHidden(figures: LedgerFigures, display: Display): LedgerFigures {
  return { ...figures, sums: figures.sums.filter(({ field }) => !display.hides(field)) };
}

function startRowOf(
  rows: readonly CellRow[],
  columns: readonly Column[],
  startAt: StartAt | undefined,
): number | null {
  if (!startAt) return null;
  const wanted = Object.entries(startAt.fields).map(([name, text]) => {
    return { column: columns.findIndex(({ field }) => field === name), text };
  });
  const row = rows.findIndex((cells) =>
    wanted.every(({ column, text }) => isSame(cells[column] ?? null, text)),
  );
  return row < 0 ? null : row;
}
