import type { ExportQuery } from '../../account/export/exportPlan.ts';
import { tradingStateKey } from '../../account/session/accountStore.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { Clock } from '../../base/time.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { RowOfPage } from '../../protocol/gridMessages.ts';
import type {
  KeptPage,
  ShownRows,
  TableDescription,
  TableFilters,
  TableName,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import { hasSameFilters, restoreQuery, startOf, isSearched } from '../../protocol/tableQuery.ts';
import { t } from '../shared/translate.ts';
import { cellsOf } from '../webview/recordCells.ts';
import { toRpcFailure } from '../webview/requestFailure.ts';
import type { TableDefinition } from './definition.ts';
import { historyQuery, readExchangeRows } from './exchangeRows.ts';
import { readLedgerRows } from './ledgerRows.ts';
import {
  accountChanged,
  initialState,
  queried,
  shownPage,
  type PanelSources,
  type PanelState,
  type ReadContext,
  type ReadPage,
  type RowPage,
} from './panelState.ts';
import { hasRoomToPrefetch, PagePrefetch } from './prefetch.ts';
import { accountAnnotations, readReferenceRows } from './referenceTables.ts';

/** A record as the exchange wrote it, and the filters of the page that it was read with. */
export type ReadRecord = {
  readonly record: object;
  readonly filters: TableFilters;
  /** Of the ledger that it was read from; null if it was read from the exchange. */
  readonly history: LedgerHistory | null;
};

type PanelRowsOptions = PanelSources & {
  readonly name: TableName;
  readonly table: TableDefinition;
  /** The last query, if the panel was open before a reload. */
  readonly restored?: TableQuery | undefined;
  readonly clock: Clock;
  readonly isVisible: () => boolean;
};

/** The tables whose rows change with the account's orders and positions. */
const tradingTables: readonly TableName[] = ['orders', 'trades'];

/** Reads the pages of one panel, and keeps the last page unmasked, so that a hidden panel shows it again. */
export class PanelRows {
  readonly options: PanelRowsOptions;
  state: PanelState;
  private running = new AbortController();
  private readonly prefetched: PagePrefetch<ReadPage>;
  private pageCount = 0;
  /** The annotations that the page received, as JSON. */
  private sentAnnotations = '';

  constructor(options: PanelRowsOptions) {
    this.options = options;
    this.state = { ...initialState, query: options.restored ?? null };
    this.prefetched = new PagePrefetch(options.clock);
  }

  update(changes: Partial<PanelState>): void {
    this.state = { ...this.state, ...changes };
  }

  /** VS Code discards a hidden page and loads it again when it is shown. */
  hide(): void {
    this.update({ isDescribed: false });
    this.prefetched.drop();
  }

  /** Another account is open, or none. Aborts what is being read. */
  forget(isOtherProfile: boolean): void {
    this.update(accountChanged(this.state, isOtherProfile));
    this.prefetched.drop();
    this.running.abort();
  }

  /**
   * A newer query aborts the older one. Rejects with ExchangeError, UserFacingError, the reason why no
   * account is open, or an abort.
   */
  async read(query: TableQuery, pageSignal: AbortSignal): Promise<TablePage> {
    this.update(queried(this.state, query));
    this.running.abort();
    this.running = new AbortController();
    const signal = AbortSignal.any([this.running.signal, pageSignal]);
    try {
      const prefetched = await this.prefetched.take(query, signal);
      const page = prefetched ?? (await this.readPage(query, { signal }));
      signal.throwIfAborted();
      this.update({ page, failure: null });
      return this.render(page);
    } catch (error) {
      const failure = { query, error, at: this.options.clock.now() };
      if (!signal.aborted) this.update({ failure });
      throw error;
    }
  }

  /** Reads the page that the user may ask for next, if that costs nobody anything. */
  prefetch(query: TableQuery): void {
    const { active, table, isVisible } = this.options;
    const { state } = active;
    if (table.kind !== 'history' || query.ledger) return;
    if (state.kind !== 'open' || !isVisible()) return;
    if (!hasRoomToPrefetch(state.session.rateLimiter.usage)) return;
    // A failed page is read again when the user asks for it.
    this.prefetched.start(query, (signal) =>
      this.readPage(query, { signal, priority: 'bulk' }).catch(() => undefined),
    );
  }

  /** Reads the rows for which a page asks as soon as it has its description. */
  readFirst(description: TableDescription): void {
    const { context, kept, initialFilters } = description;
    if (context.profile === null || (kept && !initialFilters)) return;
    const query = startOf(restoreQuery(description));
    this.prefetched.start(query, (signal) => this.readPage(query, { signal }));
  }

  /** The last page with the current annotations and mask; null if there is none. */
  get shownRows(): ShownRows | null {
    const { page } = this.state;
    return page ? { query: page.query, page: this.render(page) } : null;
  }

  /** Whether rows of this account were shown, or failed. */
  get isKept(): boolean {
    return this.state.page !== null || this.state.failure !== null;
  }

  /** For the next page of this panel; null if no rows of this account were shown. */
  get kept(): KeptPage | null {
    if (!this.isKept) return null;
    const { shownRows: shown, state, options } = this;
    const { failure, view, outdatedPageId } = state;
    const failed = failure && {
      query: failure.query,
      failure: toRpcFailure(failure.error, failure.at, options.display.current),
    };
    return { shown, failed, view, outdatedPageId };
  }

  /**
   * What an export of the rows of these filters reads, with their count if the last page has it; undefined for
   * reference data. Throws UserFacingError if a date is invalid.
   */
  exportSubject(filters: TableFilters): ExportQuery | undefined {
    const { table } = this.options;
    if (table.kind === 'reference') return undefined;
    const asked = historyQuery(table, filters);
    const { query, rows } = this.state.page ?? {};
    if (!query || !hasSameFilters(query, { filters })) return asked;
    if (isSearched(query) || rows?.part) return asked;
    return rows?.matchingRows === undefined ? asked : { ...asked, matchingRows: rows.matchingRows };
  }

  /** The account was read: whether the annotations have changed since the page received them. */
  get areAnnotationsOutdated(): boolean {
    const { page } = this.state;
    return page !== null && JSON.stringify(this.annotations(page)) !== this.sentAnnotations;
  }

  /** Of the account's orders and positions; undefined if that is not known, or this table does not depend on it. */
  get tradingState(): string | undefined {
    const { active, name } = this.options;
    const { snapshot } = active.state.kind === 'open' ? active.state.session.store.state : {};
    return snapshot && tradingTables.includes(name) ? tradingStateKey(snapshot) : undefined;
  }

  /** The id of the page if the ledger has other rows since they were read from it. */
  async pageBehindLedger(): Promise<number | undefined> {
    const { page } = this.state;
    const { current } = this.options.ledger;
    if (!page?.rows.stored || !current) return undefined;
    const { history, version } = page.rows.stored;
    const versions = await current.reader.versions();
    const isBehind = versions[history] !== version && page.id === this.state.page?.id;
    return isBehind ? page.id : undefined;
  }

  /** The records of a page; undefined if the rows have changed. */
  recordsOf(pageId: number): readonly object[] | undefined {
    const { page } = this.state;
    return page?.id === pageId ? page.rows.records : undefined;
  }

  /** The record of a row, with the filters of its page. Throws UserFacingError if the rows have changed. */
  recordOf({ pageId, row }: RowOfPage): ReadRecord {
    const record = this.recordsOf(pageId)?.[row];
    const { page } = this.state;
    if (!page || !record) throw rowsChanged();
    return { record, filters: page.query.filters, history: page.rows.stored?.history ?? null };
  }

  private async readPage(
    query: TableQuery,
    options: Pick<ReadContext, 'signal' | 'priority'>,
  ): Promise<ReadPage> {
    const { table, active, ledger, display } = this.options;
    const session = await active.session();
    const { tradingState } = this;
    // After a failure, a person asks again.
    if (this.state.failure && options.priority !== 'bulk') session.rateLimiter.allowOneInPause();
    const context = { ...options, session, ledger, display: display.current };
    const rows = await readRows(table, query, context);
    options.signal.throwIfAborted();
    return {
      id: (this.pageCount += 1),
      query,
      rows,
      cells: rows.records.map((record) => cellsOf(record, table.columns)),
      // Rows, and what is complete of them, have times of the exchange’s clock too.
      readAt: Math.floor(session.serverNow()),
      tradingState: tradingState ?? this.tradingState,
    };
  }

  private render(page: ReadPage): TablePage {
    const { table, display } = this.options;
    const annotations = this.annotations(page);
    this.sentAnnotations = JSON.stringify(annotations);
    return shownPage(page, annotations, this.state.startAt, table.columns, display.current);
  }

  private annotations({ cells }: ReadPage): ReturnType<typeof accountAnnotations> {
    const { table, active, display } = this.options;
    return accountAnnotations(table, cells, active, display.current);
  }
}

export function rowsChanged(): UserFacingError {
  return new UserFacingError(t('The rows have changed. Select one again.'));
}

/** Rejects with ExchangeError, UserFacingError or the signal's reason. */
function readRows(
  table: TableDefinition,
  query: TableQuery,
  context: ReadContext,
): Promise<RowPage> {
  if (table.kind === 'reference') return readReferenceRows(table, context);
  return query.ledger
    ? readLedgerRows(table, query, query.ledger, context)
    : readExchangeRows(table, query, context);
}
