import type { ActiveAccount } from '../../account/activeAccount.ts';
import { activityOf } from '../../account/activity.ts';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
import { Histories } from '../../account/histories.ts';
import type { Session } from '../../account/session.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type {
  CellOfPage,
  TableFilters,
  TableName,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import type { DisplayState } from '../displayState.ts';
import { maskedPage } from './maskedPage.ts';
import type { Source, Table } from './table.ts';

const tablesOfActivity: readonly TableName[] = ['orders', 'trades'];

export type PanelRowsOptions = {
  readonly name: TableName;
  readonly table: Table;
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly clock: Clock;
};

/** The rows of one panel: reads them, and keeps the last page as it was read. */
export class PanelRows implements Disposable {
  private readonly options: PanelRowsOptions;
  private source: Source | undefined;
  /** The filters of the rows that were asked for last. */
  private asked: TableFilters | undefined;
  private pageCount = 0;
  /** What the browser got of it may be masked. */
  private sent: TablePage | undefined;
  /** Of the account when that page was asked for; undefined once newer rows were offered. */
  private activity: string | undefined;

  constructor(options: PanelRowsOptions) {
    this.options = options;
  }

  /** What an export of these rows reads; undefined where there are none to export. */
  get subject(): ExportSubject | undefined {
    return this.asked && this.options.table.subjectOf?.(this.asked);
  }

  /** The last page as it is shown now; null where there is none. */
  get shown(): TablePage | null {
    return this.sent ? this.masked(this.sent) : null;
  }

  /** Rejects as `Table.read` does, and with why no account is open. */
  async read(query: TableQuery, signal: AbortSignal): Promise<TablePage> {
    this.asked = query.filters;
    const session = await this.options.active.session();
    const activity = this.activityNow();
    const rows = await this.options.table.read(this.sourceOf(session), query, signal);
    const readAt = this.options.clock.now();
    this.sent = { ...rows, number: (this.pageCount += 1), readAt };
    this.activity = activity;
    return this.masked(this.sent);
  }

  /** The page, by its number, that there may be newer rows than; undefined where nothing is new, or it was offered. */
  takeOutdated(): number | undefined {
    const now = this.activityNow();
    if (!this.sent || this.activity === undefined || now === undefined || now === this.activity)
      return undefined;
    this.activity = undefined;
    return this.sent.number;
  }

  /** A cell as the wire wrote it; undefined where the rows have changed, or it has no value. */
  cellAt({ page, row, column }: CellOfPage): string | undefined {
    const cell = this.sent?.number === page ? this.sent.rows[row]?.[column] : undefined;
    return cell ?? undefined;
  }

  /** Ends what is still being read from an account that is no longer open. */
  drop(): void {
    this.source?.histories.dispose();
    this.source = undefined;
    this.sent = undefined;
  }

  dispose(): void {
    this.drop();
  }

  /** What orders and trades changed of the account so far; undefined where this table shows neither. */
  private activityNow(): string | undefined {
    const { active, name } = this.options;
    const { state } = active;
    const snapshot = state.kind === 'open' ? state.session.store.state.snapshot : undefined;
    return snapshot && tablesOfActivity.includes(name) ? activityOf(snapshot) : undefined;
  }

  private masked(page: TablePage): TablePage {
    const { table, display } = this.options;
    return maskedPage(page, table.columns, display.current);
  }

  private sourceOf(session: Session): Source {
    if (this.source?.session !== session) {
      this.drop();
      this.source = { session, histories: new Histories(session.client, session.ledger) };
    }
    return this.source;
  }
}
