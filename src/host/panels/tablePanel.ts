import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Answerer } from '../../protocol/answerer.ts';
import type { Port } from '../../protocol/messages.ts';
import type {
  TableDescription,
  TableEvents,
  TableFilters,
  TableMethods,
  TableName,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import type { DisplayState } from '../displayState.ts';
import type { Log } from '../log.ts';
import { offeredNames } from './offeredNames.ts';
import { FirstFilters } from './firstFilters.ts';
import { PanelContext } from './panelContext.ts';
import { PanelRows, type StartAt } from './panelRows.ts';
import type { Table } from './table.ts';
import { tableByName } from './tableByName.ts';
import { tableFailure } from './tableFailure.ts';
import { tableHandlers } from './tableHandlers.ts';
import { pageRoots, webviewHtml } from './webviewHtml.ts';

type Conversation = Answerer<TableMethods, TableEvents>;

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
  private readonly context: PanelContext;
  private readonly rows: PanelRows;
  private readonly firstFilters = new FirstFilters();

  constructor(panel: vscode.WebviewPanel, name: TableName, options: TablePanelOptions) {
    this.panel = panel;
    this.name = name;
    this.table = tableByName(name);
    this.options = options;
    this.wire = this.disposables.add(this.conversation(panel.webview));
    this.disposables.add(panel);
    this.context = new PanelContext(options.active);
    const { table } = this;
    this.rows = this.disposables.add(
      new PanelRows({ ...options, name, table, clock: systemClock }),
    );
    this.follow();
    this.drawTitle();
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: pageRoots(options.extensionUri) };
    webview.html = webviewHtml(webview, options.extensionUri, name);
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** What an export of the rows on the page reads; undefined where there are none to export. */
  get subject(): ExportSubject | undefined {
    return this.rows.subject;
  }

  get canExport(): boolean {
    return this.table.subjectOf !== null;
  }

  reveal(): void {
    this.panel.reveal();
  }

  /**
   * Filters the rows by these and nothing else, and begins at the row that `startAt` names; a page
   * that loads takes them when it opens.
   */
  begin(filters: TableFilters, startAt?: StartAt): void {
    this.rows.startAt = startAt;
    if (this.firstFilters.want(filters)) this.wire.tell('table/reopen', null);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private follow(): void {
    const { active, display } = this.options;
    let told = JSON.stringify(this.context.current);
    this.disposables.add(
      active.onDidChange(() => {
        const context = this.context.current;
        if (JSON.stringify(context) === told) return;
        told = JSON.stringify(context);
        this.rows.drop();
        this.rows.startAt = undefined;
        this.wire.tell('table/context', context);
        this.drawTitle();
      }),
    );
    this.disposables.add(active.onDidChange(() => this.followAccount()));
    this.disposables.add(display.onDidChange(() => this.tellDisplay()));
    this.disposables.add(
      this.panel.onDidChangeViewState(() => {
        if (!this.panel.visible) this.firstFilters.noteHidden();
      }),
    );
  }

  private conversation(webview: vscode.Webview): Conversation {
    const port: Port = {
      post: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
    };
    return new Answerer<TableMethods, TableEvents>({
      port,
      handlers: tableHandlers({
        ...this.options,
        table: this.table,
        describe: () => this.describe(),
        page: (query, signal) => this.page(query, signal),
        cellAt: (cell) => this.rows.cellAt(cell),
        tellCopied: () => this.wire.tell('table/copied', null),
      }),
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
    return {
      table: this.name,
      title,
      note,
      columns,
      filters: this.table.filters(offered),
      pageSizes,
      canExport: subjectOf !== null,
      context: this.context.current,
      display: this.options.display.current.settings,
      startWith: this.firstFilters.describe(),
    };
  }

  private page(query: TableQuery, signal: AbortSignal): Promise<TablePage> {
    this.firstFilters.noteQuery(query.filters);
    return this.rows.read(query, signal);
  }

  /** The rows stay as they were read: a person who wants newer ones refreshes. What stands beside them follows. */
  private followAccount(): void {
    const page = this.rows.takeOutdated();
    if (page !== undefined) this.wire.tell('table/newer', { page });
    if (this.rows.isAccountOutdated) this.tellDisplay();
  }

  private tellDisplay(): void {
    const { settings: display } = this.options.display.current;
    this.wire.tell('table/display', { display, page: this.rows.shown });
  }

  private drawTitle(): void {
    this.panel.title = this.context.titleOf(this.table.title);
  }
}
