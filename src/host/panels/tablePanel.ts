import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import type { ExportSubject } from '../../account/export/exportPlan.ts';
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
import type { Log } from '../log.ts';
import { offeredNames } from './offeredNames.ts';
import { FirstFilters } from './firstFilters.ts';
import { linkTarget, offerLink } from './openLink.ts';
import { PanelContext } from './panelContext.ts';
import { PanelRows } from './panelRows.ts';
import type { Table } from './table.ts';
import { tableByName } from './tableByName.ts';
import { tableFailure } from './tableFailure.ts';
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

  /** Filters the rows by these and nothing else; a page that loads takes them when it opens. */
  filterBy(filters: TableFilters): void {
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
        this.wire.tell('table/context', context);
        this.drawTitle();
      }),
    );
    this.disposables.add(active.onDidChange(() => this.offerNewer()));
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

  /** The rows stay as they were read: a person who wants newer ones refreshes. */
  private offerNewer(): void {
    const page = this.rows.takeOutdated();
    if (page !== undefined) this.wire.tell('table/newer', { page });
  }

  private tellDisplay(): void {
    const { settings: display } = this.options.display.current;
    this.wire.tell('table/display', { display, page: this.rows.shown });
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
  private copy(cell: CellOfPage): Promise<null> {
    const text = this.rows.cellAt(cell);
    if (text === undefined)
      throw new SentenceError(vscode.l10n.t('Nothing was copied: the rows have changed.'));
    inBackground(this.options.log, 'copying a cell', this.copyReal(text));
    return Promise.resolve(null);
  }

  private async copyReal(text: string): Promise<void> {
    if (!(await this.options.confirmRealValues())) return;
    await vscode.env.clipboard.writeText(text);
    this.wire.tell('table/copied', null);
  }

  private drawTitle(): void {
    this.panel.title = this.context.titleOf(this.table.title);
  }
}
