import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { activityOf } from '../../account/activity.ts';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
import { Histories } from '../../account/histories.ts';
import { environmentLabel } from '../../account/profile.ts';
import type { Session } from '../../account/session.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { Answerer } from '../../protocol/answerer.ts';
import type { Port } from '../../protocol/messages.ts';
import {
  cellOfPageSchema,
  tableFiltersSchema,
  tableQuerySchema,
  type CellOfPage,
  type TableContext,
  type TableDescription,
  type TableEvents,
  type TableFilters,
  type TableMethods,
  type TableName,
  type TablePage,
  type TableQuery,
} from '../../protocol/table.ts';
import { inBackground } from '../background.ts';
import type { DisplayState } from '../displayState.ts';
import { environmentOf } from '../profiles/environmentOf.ts';
import type { Log } from '../log.ts';
import { maskedPage } from './maskedPage.ts';
import { offeredNames } from './offeredNames.ts';
import { quoted } from '../words.ts';
import { linkTarget, offerLink } from './openLink.ts';
import type { Source, Table } from './table.ts';
import { tableByName } from './tableByName.ts';
import { tableFailure } from './tableFailure.ts';
import { pageRoots, webviewHtml } from './webviewHtml.ts';

type Conversation = Answerer<TableMethods, TableEvents>;

const tablesOfActivity: readonly TableName[] = ['orders', 'trades'];

export type TablePanelOptions = {
  readonly extensionUri: vscode.Uri;
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  /** Whether what privacy hides may leave for the clipboard. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly log: Log;
  /** Begins an export; it says by itself how it goes. */
  readonly exportRows: (subject: ExportSubject) => void;
};

/** The host's half of one table page: answers what it asks, and tells it whose rows it shows. */
export class TablePanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: TablePanelOptions;
  private readonly panel: vscode.WebviewPanel;
  private readonly name: TableName;
  private readonly table: Table;
  private readonly wire: Conversation;
  private readonly sessions = new WeakMap<Session, number>();
  private sessionCount = 0;
  private source: Source | undefined;
  /** Filters that somebody asked for, until rows of them are asked for. */
  private startWith: TableFilters | null = null;
  /** Whether the page has been described since it was last loaded: one that has not will ask. */
  private isDescribed = false;
  /** The filters of the rows that the page asked for last. */
  private asked: TableFilters | undefined;
  private pageCount = 0;
  /** The last page as it was read; what the browser got of it may be masked. */
  private sent: TablePage | undefined;
  /** Of the account when that page was asked for; undefined once newer rows were offered. */
  private activity: string | undefined;

  constructor(panel: vscode.WebviewPanel, name: TableName, options: TablePanelOptions) {
    this.panel = panel;
    this.name = name;
    this.table = tableByName(name);
    this.options = options;
    this.wire = this.disposables.add(this.conversation(panel.webview));
    this.disposables.add(panel);
    let told = JSON.stringify(this.context());
    this.disposables.add(
      options.active.onDidChange(() => {
        const context = this.context();
        if (JSON.stringify(context) === told) return;
        told = JSON.stringify(context);
        this.dropSource();
        this.wire.tell('table/context', context);
        this.drawTitle();
      }),
    );
    this.disposables.add(options.active.onDidChange(() => this.offerNewer()));
    this.disposables.add(options.display.onDidChange(() => this.tellDisplay()));
    this.disposables.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.isDescribed = false;
      }),
    );
    this.drawTitle();
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: pageRoots(options.extensionUri) };
    webview.html = webviewHtml(webview, options.extensionUri, 'Margin Desk', name);
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** What an export of the rows on the page reads; undefined where there are none to export. */
  get subject(): ExportSubject | undefined {
    return this.asked && this.table.subjectOf?.(this.asked);
  }

  get canExport(): boolean {
    return this.table.subjectOf !== null;
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Filters the rows by these and nothing else; a page that loads takes them when it opens. */
  filterBy(filters: TableFilters): void {
    this.startWith = filters;
    if (this.isDescribed) this.wire.tell('table/reopen', null);
  }

  dispose(): void {
    this.dropSource();
    this.disposables.dispose();
  }

  private conversation(webview: vscode.Webview): Conversation {
    const port: Port = {
      post: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
    };
    return new Answerer<TableMethods, TableEvents>({
      port,
      handlers: {
        'table/open': { parse: () => null, run: () => this.describe() },
        'table/page': {
          parse: (params) => v.parse(tableQuerySchema, params),
          run: (query, signal) => this.page(query, signal),
        },
        'table/openLink': {
          parse: (params) => v.parse(v.string(), params),
          run: (link) => this.openLink(link),
        },
        'table/export': {
          parse: (params) => v.parse(tableFiltersSchema, params),
          run: (filters) => this.export(filters),
        },
        'table/copy': {
          parse: (params) => v.parse(cellOfPageSchema, params),
          run: (cell) => this.copy(cell),
        },
      },
      toFailure: (error) => {
        const { log, display } = this.options;
        log.failure(`table ${this.name}`, error);
        return tableFailure(error, systemClock.now(), display.current);
      },
    });
  }

  private async describe(): Promise<TableDescription> {
    const session = await this.options.active.session().catch(() => undefined);
    const offered = session ? await offeredNames(session) : { symbols: [], assets: [] };
    const { title, note, columns, pageSizes, subjectOf } = this.table;
    this.isDescribed = true;
    return {
      table: this.name,
      title,
      note,
      columns,
      filters: this.table.filters(offered),
      pageSizes,
      canExport: subjectOf !== null,
      context: this.context(),
      display: this.options.display.current.settings,
      startWith: this.startWith,
    };
  }

  private async page(query: TableQuery, signal: AbortSignal): Promise<TablePage> {
    this.asked = query.filters;
    if (this.startWith && hasFilters(query.filters, this.startWith)) this.startWith = null;
    const session = await this.options.active.session();
    const activity = this.activityNow();
    const rows = await this.table.read(this.sourceOf(session), query, signal);
    this.sent = { ...rows, number: (this.pageCount += 1), readAt: systemClock.now() };
    this.activity = activity;
    return this.masked(this.sent);
  }

  /** The rows stay as they were read: a person who wants newer ones refreshes. */
  private offerNewer(): void {
    const now = this.activityNow();
    if (!this.sent || this.activity === undefined || now === undefined || now === this.activity)
      return;
    this.activity = undefined;
    this.wire.tell('table/newer', { page: this.sent.number });
  }

  /** What orders and trades changed of the account so far; undefined where this table shows neither. */
  private activityNow(): string | undefined {
    const { state } = this.options.active;
    const snapshot = state.kind === 'open' ? state.session.store.state.snapshot : undefined;
    return snapshot && tablesOfActivity.includes(this.name) ? activityOf(snapshot) : undefined;
  }

  private masked(page: TablePage): TablePage {
    return maskedPage(page, this.table.columns, this.options.display.current);
  }

  private tellDisplay(): void {
    const { settings: display } = this.options.display.current;
    const page = this.sent ? this.masked(this.sent) : null;
    this.wire.tell('table/display', { display, page });
  }

  private sourceOf(session: Session): Source {
    if (this.source?.session !== session) {
      this.dropSource();
      this.source = { session, histories: new Histories(session.client, session.ledger) };
    }
    return this.source;
  }

  /** Ends what is still being read from an account that is no longer open. */
  private dropSource(): void {
    this.source?.histories.dispose();
    this.source = undefined;
    this.sent = undefined;
  }

  /** Does not wait for the person: the page hears only whether the link is one to ask about. */
  private openLink(link: string): Promise<null> {
    inBackground(this.options.log, 'opening a link', offerLink(linkTarget(link)));
    return Promise.resolve(null);
  }

  private export(filters: TableFilters): Promise<null> {
    const subject = this.table.subjectOf?.(filters);
    if (subject) this.options.exportRows(subject);
    return Promise.resolve(null);
  }

  /** Takes the cell before the question: rows may come and go while it stands. */
  private copy({ page, row, column }: CellOfPage): Promise<null> {
    const text = this.sent?.number === page ? this.sent.rows[row]?.[column] : undefined;
    if (text === undefined || text === null)
      throw new SentenceError(vscode.l10n.t('Nothing was copied: the rows have changed.'));
    inBackground(this.options.log, 'copying a cell', this.copyReal(text));
    return Promise.resolve(null);
  }

  private async copyReal(text: string): Promise<void> {
    if (!(await this.options.confirmRealValues())) return;
    await vscode.env.clipboard.writeText(text);
    this.wire.tell('table/copied', null);
  }

  private context(): TableContext {
    const { state } = this.options.active;
    switch (state.kind) {
      case 'closed':
        return { profile: null, environment: '', session: 0 };
      case 'opening':
      case 'failed':
        return { profile: state.name, environment: environmentOf(state.name), session: 0 };
      case 'open': {
        const { profile } = state.session;
        const session = this.numberOf(state.session);
        return { profile: profile.name, environment: environmentLabel(profile), session };
      }
      default:
        return state satisfies never;
    }
  }

  private numberOf(session: Session): number {
    const number = this.sessions.get(session) ?? (this.sessionCount += 1);
    this.sessions.set(session, number);
    return number;
  }

  private drawTitle(): void {
    const { profile, environment } = this.context();
    const { title } = this.table;
    this.panel.title =
      profile === null ? title : `${title} · ${quoted(profile, 40)} · ${environment}`;
  }
}

/** A description may get lost on its way, when the page asks again: only such a query shows that one came. */
function hasFilters(filters: TableFilters, wanted: TableFilters): boolean {
  const isSame = (name: string): boolean =>
    JSON.stringify(filters[name] ?? '') === JSON.stringify(wanted[name]);
  return Object.keys(wanted).every(isSame);
}
