import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { systemClock } from '../../base/time.ts';
import { RpcServer } from '../../protocol/rpcServer.ts';
import {
  columnLayoutSchema,
  type CellSelection,
  type ColumnLayout,
  type GridCommand,
} from '../../protocol/gridMessages.ts';
import {
  tableFiltersSchema,
  tableQuerySchema,
  type TableContext,
  type TableDescription,
  type TableEvents,
  type TableFilters,
  type TableMethods,
  type TableName,
} from '../../protocol/table.ts';
import { logRejection, type Log } from '../log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { ColumnLayouts } from './columnLayouts.ts';
import { PanelContext } from './panelContext.ts';
import { RowRequests } from './rowRequests.ts';
import type { TableDefinition } from './tableDefinition.ts';
import { filterSuggestions, PendingFilters } from './tableFilters.ts';
import { TablePageReader, type StartAt } from './tablePageReader.ts';
import { tableTexts } from './tablePageTexts.ts';
import { confirmAndOpenLink, parseLink, toRpcFailure } from './tableRequests.ts';
import { pageRoots, webviewHtml } from './webviewHtml.ts';

export type TablePanelOptions = {
  readonly extensionUri: vscode.Uri;
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  /** Asks whether a figure that privacy hides may be copied to the clipboard. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly log: Log;
  /** Starts an export, which reports its own progress. */
  readonly exportRows: (subject: ExportQuery) => void;
  readonly layouts: ColumnLayouts;
  readonly openTable: (name: TableName, filters: TableFilters, startAt: StartAt) => void;
};

const pageSizes = [20, 50, 100, 500];

/** The host's end of one table page: serves its requests and notifies it of changes. */
export class TablePanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: TablePanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly name: TableName;
  readonly table: TableDefinition;
  private readonly rpc: RpcServer<TableMethods, TableEvents>;
  private readonly context: PanelContext;
  private lastContext: TableContext;
  private readonly pendingFilters = new PendingFilters();
  readonly pageReader: TablePageReader;
  private readonly rowRequests: RowRequests;

  constructor(
    panel: vscode.WebviewPanel,
    name: TableName,
    table: TableDefinition,
    options: TablePanelOptions,
  ) {
    this.panel = panel;
    this.name = name;
    this.table = table;
    this.options = options;
    this.context = new PanelContext(options.active);
    this.lastContext = this.context.current;
    const { pendingFilters } = this;
    this.pageReader = this.disposables.add(
      new TablePageReader({ ...options, name, table, pendingFilters, clock: systemClock }),
    );
    const { pageReader } = this;
    const onCopied = (selection: CellSelection | null): void =>
      this.rpc.notify('table/copied', selection);
    this.rowRequests = new RowRequests({ ...options, table, pageReader, onCopied });
    this.rpc = this.disposables.add(this.createRpcServer(panel.webview));
    this.disposables.add(panel);
    this.subscribe();
    this.updateTitle();
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: pageRoots(options.extensionUri) };
    const data = { table: name, texts: JSON.stringify(tableTexts(name)) };
    webview.html = webviewHtml(webview, options.extensionUri, { name: 'table', data });
  }

  /**
   * Replaces the filters, and scrolls to the row that `startAt` names. A page that still loads applies
   * them when it opens.
   */
  applyFilters(filters: TableFilters, startAt?: StartAt): void {
    this.pageReader.startAt = startAt;
    if (this.pendingFilters.request(filters)) this.rpc.notify('table/reopen', null);
  }

  /** Has the page do something with its selected cells or its active row. */
  command(command: GridCommand): void {
    this.rpc.notify('table/command', command);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private createRpcServer(webview: vscode.Webview): RpcServer<TableMethods, TableEvents> {
    return new RpcServer<TableMethods, TableEvents>({
      port: {
        postMessage: (message) => void webview.postMessage(message),
        onMessage: (listener) => webview.onDidReceiveMessage(listener),
      },
      handlers: {
        'table/open': { params: v.null(), run: this.describe },
        'table/page': { params: tableQuerySchema, run: this.pageReader.read },
        'table/openLink': { params: v.string(), run: this.openLink },
        'table/export': { params: tableFiltersSchema, run: this.exportRows },
        ...this.rowRequests.handlers,
        'table/layout': { params: columnLayoutSchema, run: this.keepLayout },
      },
      toFailure: (error) => {
        const { log, display } = this.options;
        log.failure(`table ${this.name}`, error);
        return toRpcFailure(error, systemClock.now(), display.current);
      },
    });
  }

  private subscribe(): void {
    const { active, display } = this.options;
    this.disposables.add(active.onDidChange(this.onAccountChange));
    this.disposables.add(display.onDidChange(this.postDisplay));
    this.disposables.add(
      this.panel.onDidChangeViewState(() => {
        if (!this.panel.visible) this.pendingFilters.onHidden();
      }),
    );
  }

  private readonly describe = async (): Promise<TableDescription> => {
    const { table } = this;
    const isHistory = table.kind === 'history';
    const session = await this.options.active.session().catch(() => undefined);
    const suggestions = session ? await filterSuggestions(session) : { symbols: [], assets: [] };
    return {
      table: this.name,
      title: table.title,
      note: isHistory ? (table.note ?? '') : '',
      columns: table.columns,
      filters: isHistory ? table.filters(suggestions) : [],
      pageSizes: isHistory ? pageSizes : [],
      canExport: isHistory,
      context: this.context.current,
      display: this.options.display.current.settings,
      initialFilters: this.pendingFilters.takeForDescription(),
      layout: this.options.layouts.get(this.name),
    };
  };

  /** Replies before the user confirms: the page needs to know only whether the link is valid. */
  private readonly openLink = (link: string): null => {
    const { log, display } = this.options;
    const url = parseLink(link, display.current);
    logRejection(log, 'opening a link', confirmAndOpenLink(url));
    return null;
  };

  private readonly exportRows = (filters: TableFilters): null => {
    const subject = this.pageReader.exportSubjectFor(filters);
    if (subject) this.options.exportRows(subject);
    return null;
  };

  private readonly keepLayout = (layout: ColumnLayout): null => {
    const { layouts, log } = this.options;
    logRejection(log, 'keeping a column layout', layouts.set(this.name, layout));
    return null;
  };

  /** Rows of the same account stay until the user refreshes. The annotations follow the account. */
  private readonly onAccountChange = (): void => {
    const { current } = this.context;
    if (JSON.stringify(current) !== JSON.stringify(this.lastContext)) {
      this.lastContext = current;
      this.pageReader.reset();
      this.rpc.notify('table/context', current);
      this.updateTitle();
    }
    const pageId = this.pageReader.takeOutdatedPage();
    if (pageId !== undefined) this.rpc.notify('table/newer', { pageId });
    if (this.pageReader.areAnnotationsOutdated) this.postDisplay();
  };

  private readonly postDisplay = (): void => {
    const { settings: display } = this.options.display.current;
    this.rpc.notify('table/display', { display, page: this.pageReader.currentPage });
  };

  private updateTitle(): void {
    this.panel.title = this.context.titleOf(this.table.title);
  }
}
