import type { ExportQuery } from '../../account/export/exportPlan.ts';
import { tradingStateKey } from '../../account/session/accountStore.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { isSame } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type { RowOfPage } from '../../protocol/gridMessages.ts';
import type {
  Cell,
  Column,
  TableFilters,
  TableName,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { historyQuery, readHistoryRows } from './historyRows.ts';
import { accountAnnotations, readReferenceRows } from './referenceRows.ts';
import { cellOf, type CellRow, type TableDefinition, type TableRows } from './tableDefinition.ts';
import type { PendingFilters } from './tableFilters.ts';

/** Replaces the figures that privacy hides: they never reach the page. */
function maskPage(page: TablePage, columns: readonly Column[], display: Display): TablePage {
  if (!display.settings.hidesMoney) return page;
  const masked = (cell: Cell, field: Column['field'] | undefined): Cell =>
    cell !== null && (field === undefined || display.hides(field)) ? mask : cell;
  return {
    ...page,
    rows: page.rows.map((cells) => cells.map((cell, index) => masked(cell, columns[index]?.field))),
    summary: page.summary.map((group) => ({
      ...group,
      items: group.items.map((item) => ({ ...item, cell: masked(item.cell, item.field) })),
    })),
  };
}

/** The tables whose rows change with the account's orders and positions. */
const tradingTables: readonly TableName[] = ['orders', 'trades'];

/** Names the row whose `field` has this text. */
export type StartAt = { readonly field: string; readonly text: string };

/** A record as the exchange wrote it, and the filters of the page that it was read with. */
export type ReadRecord = { readonly record: object; readonly filters: TableFilters };

export type TablePageReaderOptions = {
  readonly name: TableName;
  readonly table: TableDefinition;
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly pendingFilters: PendingFilters;
  readonly clock: Clock;
};

/** Reads the pages of one panel, and keeps the last page unmasked. */
export class TablePageReader implements Disposable {
  private readonly options: TablePageReaderOptions;
  private running = new AbortController();
  private lastFilters: TableFilters | undefined;
  private pageCount = 0;
  private lastPage: (TableRows & Pick<TablePage, 'id' | 'readAt'>) | undefined;
  private lastRecords: { items: readonly object[]; filters: TableFilters } | undefined;
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
    return this.lastPage ? this.render(this.lastPage) : null;
  }

  /**
   * A newer query aborts the older one. Rejects with ExchangeError, UserFacingError, the reason why no
   * account is open, or an abort.
   */
  readonly read = async (query: TableQuery, pageSignal: AbortSignal): Promise<TablePage> => {
    const { table, active, display, clock, pendingFilters } = this.options;
    pendingFilters.onQuery(query.filters);
    this.lastFilters = query.filters;
    this.running.abort();
    this.running = new AbortController();
    const signal = AbortSignal.any([this.running.signal, pageSignal]);
    const session = await active.session();
    const tradingState = this.tradingState();
    const { items, ...page } =
      table.kind === 'history'
        ? await readHistoryRows(table, query, session.client, display.current, signal)
        : await readReferenceRows(table, session, display.current, signal);
    signal.throwIfAborted();
    const rows = items.map((item) => cellsOf(item, table.columns));
    this.lastRecords = { items, filters: query.filters };
    this.lastPage = { ...page, rows, id: (this.pageCount += 1), readAt: clock.now() };
    this.baseline = { tradingState: tradingState ?? this.tradingState() };
    return this.render(this.lastPage);
  };

  /** Whether the annotations have changed since the page received them. */
  get areAnnotationsOutdated(): boolean {
    return (
      this.lastPage !== undefined &&
      JSON.stringify(this.annotations(this.lastPage)) !== this.sentAnnotations
    );
  }

  /** The id of the page that may have newer rows; undefined if nothing changed or it was returned before. */
  takeOutdatedPage(): number | undefined {
    const { lastPage, baseline } = this;
    const now = this.tradingState();
    if (!lastPage || !baseline || now === undefined || now === baseline.tradingState)
      return undefined;
    const isFirst = baseline.tradingState === undefined;
    this.baseline = isFirst ? { tradingState: now } : undefined;
    return isFirst ? undefined : lastPage.id;
  }

  /** The unmasked rows of a page; undefined if they have changed. */
  rowsOf(pageId: number): TableRows['rows'] | undefined {
    return this.lastPage?.id === pageId ? this.lastPage.rows : undefined;
  }

  /** The unmasked record of a row, with the filters of its page; undefined if the rows have changed. */
  recordOf({ pageId, row }: RowOfPage): ReadRecord | undefined {
    const { items, filters } = this.lastRecords ?? {};
    const record = this.lastPage?.id === pageId ? items?.[row] : undefined;
    return record && filters ? { record, filters } : undefined;
  }

  /** Drops the rows and aborts the running read: another account is open. */
  reset(): void {
    this.running.abort();
    this.lastPage = undefined;
    this.lastRecords = undefined;
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

  private render(page: NonNullable<typeof this.lastPage>): TablePage {
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

function startRowOf(
  rows: TableRows['rows'],
  columns: readonly Column[],
  startAt: StartAt | undefined,
): number | null {
  if (!startAt) return null;
  const column = columns.findIndex(({ field }) => field === startAt.field);
  const row = rows.findIndex((cells) => isSame(cells[column] ?? null, startAt.text));
  return row < 0 ? null : row;
}

/** The fields of a record in the order of the columns, as the exchange wrote them. */
function cellsOf(item: object, columns: readonly Column[]): CellRow {
  return columns.map(({ field }) => cellOf(item, field));
}
