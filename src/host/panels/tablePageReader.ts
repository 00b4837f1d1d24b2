import type { ExportQuery } from '../../account/export/exportPlan.ts';
import { tradingStateKey } from '../../account/session/accountStore.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type {
  CellOfPage,
  KeptPage,
  PageView,
  ShownRows,
  TableFilters,
  TableName,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { historyQuery, readHistoryRows } from './historyRows.ts';
import { cellsOf, maskPage, startRowOf, type StartAt } from './pageRendering.ts';
import { accountAnnotations, readReferenceRows } from './referenceRows.ts';
import type { TableDefinition, TableRows } from './tableDefinition.ts';
import type { PendingFilters } from './tableFilters.ts';
import { toRpcFailure } from './tableRequests.ts';

/** The tables whose rows change with the account's orders and positions. */
const tradingTables: readonly TableName[] = ['orders', 'trades'];

export type TablePageReaderOptions = {
  readonly name: TableName;
  readonly table: TableDefinition;
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly pendingFilters: PendingFilters;
  readonly clock: Clock;
};

/** As the exchange wrote it. */
type UnmaskedPage = TableRows & Pick<TablePage, 'id' | 'readAt'>;

/** Reads the pages of one panel, and keeps the last page unmasked, so that a hidden panel shows it again. */
export class TablePageReader implements Disposable {
  private readonly options: TablePageReaderOptions;
  private running = new AbortController();
  private lastFilters: TableFilters | undefined;
  private pageCount = 0;
  private lastRead: { readonly query: TableQuery; readonly page: UnmaskedPage } | undefined;
  private lastFailure: { query: TableQuery; error: unknown; at: number } | undefined;
  /** What the page said of itself. */
  view: PageView | null = null;
  /** The annotations that the page received, as JSON. */
  private sentAnnotations = '';
  /** The row that a command asked for. */
  startAt: StartAt | undefined;
  /**
   * The trading state when the last page was requested, or else the first one known after that.
   * Undefined once the page was notified of newer rows.
   */
  private baseline: { readonly tradingState: string | undefined } | undefined;

  constructor(options: TablePageReaderOptions) {
    this.options = options;
  }

  /** What an export of these rows reads; undefined if no rows were requested, or for reference data. */
  get exportSubject(): ExportQuery | undefined {
    return this.lastFilters && this.exportSubjectFor(this.lastFilters);
  }

  /** Undefined for reference data. Throws UserFacingError if a date is invalid. */
  exportSubjectFor(filters: TableFilters): ExportQuery | undefined {
    const { table } = this.options;
    return table.kind === 'reference' ? undefined : historyQuery(table, filters);
  }

  /** The last page with the current annotations and mask; null if there is none. */
  get currentPage(): TablePage | null {
    return this.shownRows?.page ?? null;
  }

  /** For the next page of this panel; null if nothing of this account was shown. */
  get kept(): KeptPage | null {
    const { lastFailure, shownRows: shown, view } = this;
    if (!shown && !lastFailure) return null;
    return { shown, failed: lastFailure ? this.failureOf(lastFailure) : null, view };
  }

  /**
   * A newer query aborts the older one. Rejects with ExchangeError, UserFacingError, the reason why no
   * account is open, or an abort.
   */
  readonly read = async (query: TableQuery, pageSignal: AbortSignal): Promise<TablePage> => {
    this.options.pendingFilters.onQuery(query.filters);
    this.lastFilters = query.filters;
    this.running.abort();
    this.running = new AbortController();
    const signal = AbortSignal.any([this.running.signal, pageSignal]);
    try {
      const tradingState = this.tradingState();
      const page = await this.readPage(query, signal);
      this.lastRead = { query, page };
      this.lastFailure = undefined;
      this.baseline = { tradingState: tradingState ?? this.tradingState() };
      return this.render(page);
    } catch (error) {
      if (!signal.aborted) this.lastFailure = { query, error, at: this.options.clock.now() };
      throw error;
    }
  };

  /** Whether the annotations have changed since the page received them. */
  get areAnnotationsOutdated(): boolean {
    return (
      this.lastRead !== undefined &&
      JSON.stringify(this.annotations(this.lastRead.page)) !== this.sentAnnotations
    );
  }

  /** The id of the page that may have newer rows; undefined if nothing changed or it was returned before. */
  takeOutdatedPage(): number | undefined {
    const { lastRead, baseline } = this;
    const now = this.tradingState();
    if (!lastRead || !baseline || now === undefined || now === baseline.tradingState)
      return undefined;
    const isFirst = baseline.tradingState === undefined;
    this.baseline = isFirst ? { tradingState: now } : undefined;
    return isFirst ? undefined : lastRead.page.id;
  }

  /** The unmasked cell; undefined if the rows have changed or the cell has no value. */
  cellAt({ pageId, row, column }: CellOfPage): string | undefined {
    const page = this.lastRead?.page;
    return (page?.id === pageId ? page.rows[row]?.[column] : undefined) ?? undefined;
  }

  /** Drops the rows and aborts the running read: another account is open. */
  reset(): void {
    this.running.abort();
    this.lastRead = undefined;
    this.lastFailure = undefined;
    this.view = null;
    this.startAt = undefined;
  }

  dispose(): void {
    this.reset();
  }

  /** Undefined if this is not known of the account, or if this table does not depend on trading. */
  private tradingState(): string | undefined {
    const { active, name } = this.options;
    const { state } = active;
    const snapshot = state.kind === 'open' ? state.session.store.state.snapshot : undefined;
    return snapshot && tradingTables.includes(name) ? tradingStateKey(snapshot) : undefined;
  }

  private async readPage(query: TableQuery, signal: AbortSignal): Promise<UnmaskedPage> {
    const { table, active, display, clock } = this.options;
    const session = await active.session();
    const { items, ...page } =
      table.kind === 'history'
        ? await readHistoryRows(table, query, session.client, display.current, signal)
        : await readReferenceRows(table, session, display.current, signal);
    signal.throwIfAborted();
    const rows = items.map((item) => cellsOf(item, table.columns));
    return { ...page, rows, id: (this.pageCount += 1), readAt: clock.now() };
  }

  private get shownRows(): ShownRows | null {
    const { lastRead } = this;
    return lastRead ? { query: lastRead.query, page: this.render(lastRead.page) } : null;
  }

  private failureOf({ query, error, at }: NonNullable<typeof this.lastFailure>) {
    return { query, failure: toRpcFailure(error, at, this.options.display.current) };
  }

  private render(page: UnmaskedPage): TablePage {
    const { columns } = this.options.table;
    const annotations = this.annotations(page);
    this.sentAnnotations = JSON.stringify(annotations);
    const rendered = {
      ...page,
      marks: annotations.marks,
      summary: [...page.summary, ...annotations.summary],
      notes: [...page.notes, ...annotations.notes],
      startRow: startRowOf(page.rows, columns, this.startAt),
    };
    return maskPage(rendered, columns, this.options.display.current);
  }

  private annotations({ rows }: TableRows): ReturnType<typeof accountAnnotations> {
    const { table, active, display } = this.options;
    return accountAnnotations(table, rows, active, display.current);
  }
}
