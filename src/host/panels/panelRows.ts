import type { ActiveAccount } from '../../account/activeAccount.ts';
import { activityOf } from '../../account/activity.ts';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
import { Histories } from '../../account/histories.ts';
import type { Session } from '../../account/session.ts';
import type { Clock } from '../../base/clock.ts';
import { isSame } from '../../base/decimal.ts';
import type { Disposable } from '../../base/disposable.ts';
import type {
  CellOfPage,
  TableFilters,
  TableName,
  TablePage,
  TableQuery,
  Column,
} from '../../protocol/table.ts';
import type { DisplayState } from '../displayState.ts';
import { accountPart } from './accountPart.ts';
import { maskedPage } from './maskedPage.ts';
import type { Source, Table, TableRows } from './table.ts';

const tablesOfActivity: readonly TableName[] = ['orders', 'trades'];

/** Names a row: that whose `field` has this text. */
export type StartAt = { readonly field: string; readonly text: string };

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
  private source: Omit<Source, 'display'> | undefined;
  /** The filters of the rows that were asked for last. */
  private asked: TableFilters | undefined;
  private pageCount = 0;
  /** What the browser got of it may be masked. */
  private sent: (TableRows & Pick<TablePage, 'number' | 'readAt'>) | undefined;
  /** What the browser got of the account beside it. */
  private given = '';
  /** The row that somebody asked to see; the top, or the first mark, where nobody did. */
  startAt: StartAt | undefined;
  /**
   * The account's activity when that page was asked for, or the first that was seen after it; none
   * once newer rows were offered.
   */
  private base: { readonly activity: string | undefined } | undefined;

  constructor(options: PanelRowsOptions) {
    this.options = options;
  }

  /** What an export of these rows reads; undefined where there are none to export. */
  get subject(): ExportSubject | undefined {
    return this.asked && this.options.table.subjectOf?.(this.asked);
  }

  /** The last page as it is shown now; null where there is none. */
  get shown(): TablePage | null {
    return this.sent ? this.drawn(this.sent) : null;
  }

  /** Rejects as `Table.read` does, and with why no account is open. */
  async read(query: TableQuery, signal: AbortSignal): Promise<TablePage> {
    this.asked = query.filters;
    const session = await this.options.active.session();
    const activity = this.activityNow();
    const source = { ...this.sourceOf(session), display: this.options.display.current };
    const rows = await this.options.table.read(source, query, signal);
    const readAt = this.options.clock.now();
    this.sent = { ...rows, number: (this.pageCount += 1), readAt };
    this.base = { activity: activity ?? this.activityNow() };
    return this.drawn(this.sent);
  }

  /** Whether the page says something of the account that is not so any more. */
  get isAccountOutdated(): boolean {
    return this.sent !== undefined && JSON.stringify(this.ofAccount(this.sent)) !== this.given;
  }

  /** The page, by its number, that there may be newer rows than; undefined where nothing is new, or it was offered. */
  takeOutdated(): number | undefined {
    const { sent, base } = this;
    const now = this.activityNow();
    if (!sent || !base || now === undefined || now === base.activity) return undefined;
    const isFirst = base.activity === undefined;
    this.base = isFirst ? { activity: now } : undefined;
    return isFirst ? undefined : sent.number;
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

  private drawn(sent: NonNullable<typeof this.sent>): TablePage {
    const { columns } = this.options.table;
    const ofAccount = this.ofAccount(sent);
    this.given = JSON.stringify(ofAccount);
    const page = {
      ...sent,
      marks: ofAccount.marks,
      facts: [...sent.facts, ...ofAccount.facts],
      notes: [...sent.notes, ...ofAccount.notes],
      startRow: startRowOf(sent.rows, columns, this.startAt),
    };
    return maskedPage(page, columns, this.options.display.current);
  }

  private ofAccount({ rows }: TableRows): ReturnType<typeof accountPart> {
    const { table, active, display } = this.options;
    return accountPart(table, rows, active, display.current);
  }

  private sourceOf(session: Session): Omit<Source, 'display'> {
    if (this.source?.session !== session) {
      this.drop();
      this.source = { session, histories: new Histories(session.client, session.ledger) };
    }
    return this.source;
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
