import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { secondMs, systemClock } from '../../base/time.ts';
import {
  columnLayoutSchema,
  type CellSelection,
  type ColumnLayout,
  type GridCommand,
} from '../../protocol/gridMessages.ts';
import { signInActions, type SignInAction } from '../../protocol/messages.ts';
import type { Handlers, RpcServer } from '../../protocol/rpcServer.ts';
import {
  pageViewSchema,
  tableFiltersSchema,
  tableQuerySchema,
  type TableContext,
  type TableDescription,
  type TableFilters,
  type TableName,
  type TablePage,
  type TableQuery,
} from '../../protocol/table.ts';
import type { TableEvents, TableMethods } from '../../protocol/tableMessages.ts';
import { commands } from '../shared/contributions.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { Followed } from '../webview/followed.ts';
import { ledgerRequests } from './ledgerRequests.ts';
import type { PanelLedger } from './ledgerRows.ts';
import { pageWeightText } from './pagePrefetch.ts';
import type { StartAt } from './pageRendering.ts';
import { PanelContext, panelKey, panelTitle, type PanelIdentity } from './panelTab.ts';
import { environmentIcon } from '../webview/tab.ts';
import { RowRequests } from './rowRequests.ts';
import type { PanelQueries, TableChoices } from '../webview/tableChoices.ts';
import type { TableDefinition } from './tableDefinition.ts';
import { describeTable } from './tableDescriber.ts';
import { PendingFilters } from './tableFilters.ts';
import { TablePageReader } from './tablePageReader.ts';
import { tableTexts } from './tablePageTexts.ts';
import { confirmAndOpenLink, parseLink } from './tableRequests.ts';
import { servePage } from '../webview/webviewPage.ts';

export type TablePanelOptions = {
  readonly extensionUri: vscode.Uri;
  readonly active: ActiveAccount;
  readonly ledger: PanelLedger;
  readonly display: DisplayState;
  /** Asks whether a figure that privacy hides may be copied to the clipboard. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly log: Log;
  readonly choices: TableChoices;
  readonly queries: PanelQueries;
  /** Starts an export, which reports its own progress. */
  readonly exportRows: (subject: ExportQuery) => void;
  readonly openTable: (name: TableName, filters: TableFilters, startAt: StartAt) => void;
};

/** The host's end of one table page: serves its requests and notifies it of changes. */
export class TablePanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: TablePanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly identity: PanelIdentity;
  readonly table: TableDefinition;
  private readonly rpc: RpcServer<TableMethods, TableEvents>;
  private readonly context: PanelContext;
  private lastContext: TableContext;
  private readonly pendingFilters = new PendingFilters();
  readonly pageReader: TablePageReader;
  private readonly rowRequests: RowRequests;
  private readonly ledgerPage: Followed<number | undefined>;

  constructor(
    panel: vscode.WebviewPanel,
    identity: PanelIdentity,
    table: TableDefinition,
    options: TablePanelOptions,
  ) {
    this.panel = panel;
    this.identity = identity;
    this.table = table;
    this.options = options;
    this.context = new PanelContext(options.active);
    this.lastContext = this.context.current;
    const { pendingFilters } = this;
    const pageReader = new TablePageReader({
      ...options,
      name: identity.table,
      table,
      pendingFilters,
      clock: systemClock,
      isVisible: () => panel.visible,
    });
    this.pageReader = pageReader;
    this.ledgerPage = this.disposables.add(
      new Followed({
        compute: () => pageReader.pageBehindLedger(),
        show: (pageId) => {
          if (pageId !== undefined && panel.visible) this.rpc.notify('table/changed', { pageId });
        },
        fail: (error) => options.log.failure('following the ledger', error),
        isVisible: () => panel.visible,
        delayMs: secondMs,
        clock: systemClock,
      }),
    );
    this.disposables.add({ dispose: () => pageReader.reset() });
    const onCopied = (selection: CellSelection | null): void =>
      this.rpc.notify('grid/copied', selection);
    this.rowRequests = new RowRequests({ ...options, table, pageReader, onCopied });
    this.rpc = this.disposables.add(this.serve());
    this.disposables.add(panel);
    this.subscribe();
    this.updateTab();
  }

  /**
   * Replaces the filters, and scrolls to the row that `startAt` names. A page that still loads applies
   * them when it opens.
   */
  applyFilters(filters: TableFilters, startAt?: StartAt): void {
    this.applyRequest(filters, startAt, false);
  }

  /** The same with the rows of the ledger, and the details of the row that is named. */
  showStored(filters: TableFilters, startAt: StartAt | undefined): void {
    this.applyRequest(filters, startAt, true);
  }

  private applyRequest(
    filters: TableFilters,
    startAt: StartAt | undefined,
    isOfStoredRow: boolean,
  ): void {
    this.pageReader.startAt = startAt;
    if (this.pendingFilters.request(filters, isOfStoredRow)) this.rpc.notify('table/reopen', null);
  }

  /** Has the page do something with its selected cells or its active row. */
  command(command: GridCommand): void {
    this.rpc.notify('grid/command', command);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private serve(): RpcServer<TableMethods, TableEvents> {
    const { panel, options, identity, pageReader } = this;
    const { table: name, scope } = identity;
    const data = { table: name, scope, texts: JSON.stringify(tableTexts(name)) };
    const handlers: Handlers<TableMethods> = {
      'table/open': { params: v.null(), run: this.describe },
      'table/page': { params: tableQuerySchema, run: this.read },
      ...ledgerRequests(name, options),
      'table/prefetch': { params: tableQuerySchema, run: (query) => pageReader.prefetch(query) },
      'table/weight': { params: v.null(), run: this.weight },
      'table/keep': { params: pageViewSchema, run: (view) => void (pageReader.view = view) },
      'table/openLink': { params: v.string(), run: this.openLink },
      'table/signIn': { params: v.picklist(signInActions), run: this.helpSignIn },
      'table/export': { params: tableFiltersSchema, run: this.exportRows },
      ...this.rowRequests.handlers,
      'grid/layout': { params: columnLayoutSchema, run: this.keepLayout },
    };
    return servePage(panel.webview, { name: 'table', data }, handlers, options, (error) =>
      options.log.failure(`table ${name}`, error),
    );
  }

  private subscribe(): void {
    const { active, ledger, display } = this.options;
    this.disposables.add(active.onDidChange(this.onAccountChange));
    this.disposables.add(ledger.onDidChange(this.onLedgerChange));
    this.disposables.add(ledger.onDidWrite(() => this.ledgerPage.change()));
    this.disposables.add(display.onDidChange(this.postDisplay));
    this.disposables.add(
      this.panel.onDidChangeViewState(() => {
        if (this.panel.visible) return;
        this.pendingFilters.onHidden();
        this.pageReader.prefetched.drop();
      }),
    );
  }

  private readonly describe = (): Promise<TableDescription> => {
    const { options, identity, table, context, pendingFilters, pageReader } = this;
    this.ledgerPage.change();
    return describeTable({ ...options, identity, table, context, pendingFilters, pageReader });
  };

  private readonly read = async (query: TableQuery, signal: AbortSignal): Promise<TablePage> => {
    const { pageReader, identity } = this;
    const { choices, queries, log } = this.options;
    const before = pageReader.lastQuery;
    if (before && !query.ledger && before.size !== query.size)
      logRejection(log, 'keeping the page size', choices.pageSize(identity.table).set(query.size));
    logRejection(log, 'keeping a query', queries(panelKey(identity)).set(query));
    const page = pageReader.read(query, signal);
    this.updateTab();
    await page;
    if (query.ledger) this.ledgerPage.change();
    return page;
  };

  private readonly weight = (): string => {
    const { active, display } = this.options;
    if (active.state.kind !== 'open') return '';
    if (this.pageReader.lastQuery?.ledger) return vscode.l10n.t('Synchronises the ledger first');
    const { usage } = active.state.session.rateLimiter;
    return pageWeightText(this.table.operation, usage, display.current);
  };

  /** There is another choice of sources: the page asks for it. */
  private readonly onLedgerChange = (): void => {
    if (this.table.kind === 'history') this.rpc.notify('table/reopen', null);
  };

  /** Replies before the user confirms: the page needs to know only whether the link is valid. */
  private readonly openLink = (link: string): void => {
    const { log, display } = this.options;
    const url = parseLink(link, display.current);
    logRejection(log, 'opening a link', confirmAndOpenLink(url));
  };

  private readonly helpSignIn = (action: SignInAction): void => {
    const running = vscode.commands.executeCommand(commands[action]);
    logRejection(this.options.log, action, running);
  };

  private readonly exportRows = (filters: TableFilters): void => {
    const subject = this.pageReader.exportSubject(filters);
    if (subject) this.options.exportRows(subject);
  };

  private readonly keepLayout = (layout: ColumnLayout): void => {
    const { choices, log } = this.options;
    const keeping = choices.layout(this.identity.table).set(layout);
    logRejection(log, 'keeping a column layout', keeping);
  };

  /** Rows of the same account stay until the user refreshes. The annotations follow the account. */
  private readonly onAccountChange = (): void => {
    const { current } = this.context;
    if (JSON.stringify(current) !== JSON.stringify(this.lastContext)) {
      if (current.profile !== this.lastContext.profile) this.pageReader.toFirstPage();
      this.lastContext = current;
      this.pageReader.reset();
      this.rpc.notify('table/context', current);
      this.updateTab();
    }
    const pageId = this.pageReader.takeOutdatedPage();
    if (pageId !== undefined) this.rpc.notify('table/newer', { pageId });
    if (this.pageReader.areAnnotationsOutdated) this.postDisplay();
  };

  private readonly postDisplay = (): void => {
    const { settings: display } = this.options.display.current;
    const page = this.pageReader.shownRows?.page ?? null;
    this.rpc.notify('table/display', { display, page });
  };

  private updateTab(): void {
    const { panel, table, identity, pageReader, options, lastContext } = this;
    panel.title = panelTitle(table, pageReader.lastQuery?.filters ?? identity.filters);
    panel.iconPath = environmentIcon(options.extensionUri, lastContext.environment);
  }
}
