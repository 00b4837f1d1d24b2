import { l10n } from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Clock } from '../../base/time.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { RowOfPage } from '../../protocol/gridMessages.ts';
import {
  isSearched,
  type KeptPage,
  type PageView,
  type ShownRows,
  type TableFilters,
  type TableName,
  type TablePage,
  type TableQuery,
} from '../../protocol/table.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { historyQuery, readHistoryRows, type PageReadOptions } from './historyRows.ts';
import { readLedgerRows, type PanelLedger } from './ledgerRows.ts';
import { PagePrefetch, hasRoomToPrefetch } from './pagePrefetch.ts';
import { maskPage, startRowOf, type StartAt } from './pageRendering.ts';
import { cellsOf } from '../webview/recordCells.ts';
import { accountAnnotations, readReferenceRows } from './referenceRows.ts';
import { knownSymbols, withSymbolUnits } from './symbolUnits.ts';
import type { LedgerRead, PageRecords, TableDefinition, TableRows } from './tableDefinition.ts';
import type { PendingFilters } from './tableFilters.ts';
import { toRpcFailure } from '../webview/requestFailure.ts';
import { TradingChange } from './tradingChange.ts';

/** A record as the exchange wrote it, and the filters of the page that it was read with. */
export type ReadRecord = {
  readonly record: object;
  readonly filters: TableFilters;
  /** Of the ledger that it was read from; null if it was read from the exchange. */
  readonly history: LedgerHistory | null;
};

type TablePageReaderOptions = {
  readonly name: TableName;
  readonly table: TableDefinition;
  readonly active: ActiveAccount;
  readonly ledger: PanelLedger;
  readonly display: DisplayState;
  readonly pendingFilters: PendingFilters;
  readonly clock: Clock;
  readonly isVisible: () => boolean;
};

/** As the exchange wrote it. */
type UnmaskedPage = TableRows & Pick<TablePage, 'id' | 'readAt' | 'marks'>;

type ReadPage = {
  readonly page: UnmaskedPage;
  /** The records of its rows. */
  readonly items: readonly object[];
  readonly ledgerRead: LedgerRead | undefined;
  readonly matchingRows: PageRecords['matchingRows'];
  /** When the page was requested, or else the first one known after that. */
  readonly tradingState: string | undefined;
};

type Failure = { readonly query: TableQuery; readonly error: unknown; readonly at: number };

/** Reads the pages of one panel, and keeps the last page unmasked, so that a hidden panel shows it again. */
export class TablePageReader {
  private readonly options: TablePageReaderOptions;
  private running = new AbortController();
  readonly prefetched: PagePrefetch<ReadPage>;
  private readonly trading: TradingChange;
  /** Undefined before the first one. */
  lastQuery: TableQuery | undefined;
  private pageCount = 0;
  private lastRead: (Omit<ReadPage, 'tradingState'> & { readonly query: TableQuery }) | undefined;
  private lastFailure: Failure | undefined;
  /** What the page said of itself. */
  view: PageView | null = null;
  /** The annotations that the page received, as JSON. */
  private sentAnnotations = '';
  /** The page that may have newer rows, since a hidden panel has no page to say so. */
  private outdatedPageId: number | null = null;
  /** The row that a command asked for. */
  startAt: StartAt | undefined;

  constructor(options: TablePageReaderOptions) {
    this.options = options;
    this.prefetched = new PagePrefetch(options.clock);
    this.trading = new TradingChange(options.active, options.name);
  }

  /**
   * What an export of the rows of these filters reads; undefined for reference data. Throws
   * UserFacingError if a date is invalid.
   */
  exportSubject(filters: TableFilters): ExportQuery | undefined {
    const { table } = this.options;
    if (table.kind === 'reference') return undefined;
    const matchingRows = this.countOf(filters);
    const query = historyQuery(table, filters);
    return matchingRows === undefined ? query : { ...query, matchingRows };
  }

  /** The last page with the current annotations and mask; null if there is none. */
  get shownRows(): ShownRows | null {
    const { lastRead } = this;
    return lastRead ? { query: lastRead.query, page: this.render(lastRead.page) } : null;
  }

  /** For the next page of this panel; null if no rows of this account were shown. */
  get kept(): KeptPage | null {
    const { lastFailure, shownRows: shown, view, outdatedPageId } = this;
    if (!shown && !lastFailure) return null;
    return { shown, failed: lastFailure ? this.failed(lastFailure) : null, view, outdatedPageId };
  }

  private failed({ query, error, at }: Failure): KeptPage['failed'] {
    return { query, failure: toRpcFailure(error, at, this.options.display.current) };
  }

  /**
   * A newer query aborts the older one. Rejects with ExchangeError, UserFacingError, the reason why no
   * account is open, or an abort.
   */
  readonly read = async (query: TableQuery, pageSignal: AbortSignal): Promise<TablePage> => {
    this.options.pendingFilters.onQuery(query.filters);
    this.lastQuery = query;
    this.running.abort();
    this.running = new AbortController();
    const signal = AbortSignal.any([this.running.signal, pageSignal]);
    try {
      const prefetched = await this.prefetched.take(query);
      const { tradingState, ...read } = prefetched ?? (await this.readPage(query, { signal }));
      signal.throwIfAborted();
      this.lastRead = { query, ...read };
      this.lastFailure = undefined;
      this.trading.startAt(tradingState);
      return this.render(read.page);
    } catch (error) {
      if (!signal.aborted) this.lastFailure = { query, error, at: this.options.clock.now() };
      throw error;
    }
  };

  /** Reads the page that the user may ask for next, if that costs nobody anything. */
  prefetch(query: TableQuery): void {
    const { active, table, isVisible } = this.options;
    const { state } = active;
    if (table.kind !== 'history' || query.ledger) return;
    if (state.kind !== 'open' || !isVisible()) return;
    if (!hasRoomToPrefetch(state.session.rateLimiter.usage)) return;
    this.prefetched.start(query, (signal) => this.readPage(query, { signal, priority: 'bulk' }));
  }

  /** Whether the annotations have changed since the page received them. */
  get areAnnotationsOutdated(): boolean {
    return (
      this.lastRead !== undefined &&
      JSON.stringify(this.annotations(this.lastRead.page)) !== this.sentAnnotations
    );
  }

  /** The id of the page that may have newer rows; undefined if nothing changed or it was returned before. */
  takeOutdatedPage(): number | undefined {
    if (!this.lastRead || !this.trading.take()) return undefined;
    this.outdatedPageId = this.lastRead.page.id;
    return this.outdatedPageId;
  }

  /** The id of the page if the ledger has other rows since they were read from it. */
  async pageBehindLedger(): Promise<number | undefined> {
    const { lastRead } = this;
    const { current } = this.options.ledger;
    if (!lastRead?.ledgerRead || !current) return undefined;
    const { history, version } = lastRead.ledgerRead;
    const versions = await current.reader.versions();
    const isBehind = versions[history] !== version && lastRead === this.lastRead;
    return isBehind ? lastRead.page.id : undefined;
  }

  /** The unmasked rows of a page; undefined if they have changed. */
  rowsOf(pageId: number): TableRows['rows'] | undefined {
    return this.readOf(pageId)?.page.rows;
  }

  /** The unmasked record of a row, with the filters of its page; undefined if the rows have changed. */
  recordOf({ pageId, row }: RowOfPage): ReadRecord | undefined {
    const read = this.readOf(pageId);
    const record = read?.items[row];
    const history = read?.ledgerRead?.history ?? null;
    return read && record && { record, filters: read.query.filters, history };
  }

  /** Drops the rows and aborts the running read: another account is open. */
  reset(): void {
    this.running.abort();
    this.prefetched.drop();
    this.lastRead = undefined;
    this.lastFailure = undefined;
    this.view = null;
    this.startAt = undefined;
  }

  /** The pages of another account are others. */
  toFirstPage(): void {
    if (!this.lastQuery) return;
    const { part: _part, ...query } = this.lastQuery;
    this.lastQuery = { ...query, page: 0 };
  }

  private async readPage(query: TableQuery, options: PageReadOptions): Promise<ReadPage> {
    const { table, active } = this.options;
    const session = await active.session();
    const tradingState = this.trading.state;
    // After a failure, a person asks again.
    if (this.lastFailure && options.priority !== 'bulk') session.rateLimiter.allowOneInPause();
    const { items, ledgerRead, matchingRows, ...page } = await readPageRecords(
      table,
      query,
      { ...options, session },
      this.options,
    );
    options.signal.throwIfAborted();
    const rows = items.map((item) => cellsOf(item, table.columns));
    const id = (this.pageCount += 1);
    // Rows, and what is complete of them, have times of the exchange’s clock too.
    const readAt = Math.floor(session.client.serverNow());
    return {
      page: { ...page, rows, id, readAt, marks: unlistedMarks(ledgerRead) },
      items,
      ledgerRead,
      matchingRows,
      tradingState: tradingState ?? this.trading.state,
    };
  }

  private readOf(pageId: number): typeof this.lastRead {
    return this.lastRead?.page.id === pageId ? this.lastRead : undefined;
  }

  /** The count of all rows of these filters, if the last page has it. */
  private countOf(filters: TableFilters): number | undefined {
    const { query, page, matchingRows } = this.lastRead ?? {};
    const isOfFilters = JSON.stringify(query?.filters) === JSON.stringify(filters);
    const isOfAllRows = query && isOfFilters && !isSearched(query);
    return page && !page.part && isOfAllRows ? matchingRows : undefined;
  }

  private render(page: UnmaskedPage): TablePage {
    const { columns } = this.options.table;
    const annotations = this.annotations(page);
    this.sentAnnotations = JSON.stringify(annotations);
    const startRow = startRowOf(page.rows, columns, this.startAt);
    const isMissing = startRow === null && this.startAt !== undefined;
    const missing = isMissing ? [this.startAt?.missing ?? []].flat() : [];
    const rendered = {
      ...page,
      marks: [...page.marks, ...annotations.marks],
      summary: [...page.summary, ...annotations.summary],
      notes: [...page.notes, ...annotations.notes, ...missing],
      startRow,
      isStartMissing: isMissing,
    };
    return maskPage(rendered, columns, this.options.display.current);
  }

  private annotations({ rows }: TableRows): ReturnType<typeof accountAnnotations> {
    const { table, active, display } = this.options;
    return accountAnnotations(table, rows, active, display.current);
  }
}

function unlistedMarks(read: LedgerRead | undefined): TablePage['marks'] {
  const label = l10n.t('no longer listed');
  return (read?.unlisted ?? []).map((row) => ({ row, label }));
}

/** Reads a page from where its query asks for. Rejects with ExchangeError, UserFacingError or the signal's reason. */
function readPageRecords(
  table: TableDefinition,
  { ledger, ...query }: TableQuery,
  { session, ...options }: PageReadOptions & { readonly session: AccountSession },
  {
    ledger: source,
    display: { current: display },
  }: Pick<TablePageReaderOptions, 'ledger' | 'display'>,
): Promise<PageRecords> {
  const { client } = session;
  if (table.kind === 'reference') return readReferenceRows(table, session, display, options.signal);
  if (!ledger) return readHistoryRows(table, query, client, display, options);
  const columns = withSymbolUnits(table.columns, knownSymbols(session));
  const ledgerQuery = { ...query, ledger };
  return readLedgerRows({ ...table, columns }, ledgerQuery, source, display, client.serverNow());
}
