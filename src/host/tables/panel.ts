import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { Order, Trade } from '../../exchange/records.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { secondMs, systemClock } from '../../base/time.ts';
import type { RpcServer } from '../../base/rpc.ts';
import type { Handlers } from '../../protocol/messages.ts';
import {
  tableNames,
  tableParams,
  type TableContext,
  type TableDescription,
  type TableFilters,
  type TableName,
  type TablePage,
  type TableQuery,
  type TableState,
  type TableEvents,
  type TableMethods,
} from '../../protocol/table.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import { commands } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { t } from '../shared/translate.ts';
import { untrustedText } from '../text/messageText.ts';
import { Followed } from '../webview/followed.ts';
import { showTab } from '../webview/tab.ts';
import type { TableChoices } from '../webview/tableChoices.ts';
import { servePage, type PageOptions } from '../webview/webviewPage.ts';
import type { TableDefinition } from './definition.ts';
import { describeTable } from './describe.ts';
import { synchronise } from './ledgerRows.ts';
import { PanelRows } from './panelRows.ts';
import { accountRead, type PanelSources, type StartAt } from './panelState.ts';
import { pageWeightText } from './prefetch.ts';
import { RowRequests } from './rowDetails.ts';
import { createTableDefinition, tableTexts } from './tables.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { confirm } from '../shared/confirm.ts';

export type TablePanelOptions = PageOptions &
  PanelSources & {
    readonly choices: TableChoices;
    /** Starts an export, which reports its own progress. */
    readonly exportRows: (subject: ExportQuery) => void;
    readonly openTable: (name: TableName, filters: TableFilters, startAt: StartAt) => void;
    readonly openPosition: (of: Order | Trade) => void;
  };

/** Of a table's own panel, or of a symbol's. It stays the same while the user changes the filters. */
export function panelKey({ table, scope }: Pick<TableState, 'table' | 'scope'>): string {
  return `${table} ${scope}`;
}

/**
 * `Order History · btc_usdt`, or `Transaction History · SPOT · usdt`: the table, the account type unless it is FUTURE,
 * and the symbol or asset that its rows have.
 */
export function panelTitle(
  { title }: TableDefinition,
  filters: TableFilters | null | undefined,
): string {
  const { accountType, symbol, asset } = filters ?? {};
  const parts = [accountType === 'SPOT' ? accountType : undefined, symbol ?? asset];
  const texts = parts.filter((part) => typeof part === 'string');
  return [title, ...texts.map((text) => untrustedText(text, 40))].join(' · ');
}

/** The host's end of one table page: serves its requests and notifies it of changes. */
export class TablePanel extends DisposableOwner {
  private readonly options: TablePanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly key: string;
  private readonly name: TableName;
  readonly table: TableDefinition;
  readonly rows: PanelRows;
  readonly rpc: RpcServer<TableMethods, TableEvents>;
  private readonly ledgerPage: Followed<number | undefined>;
  private context: TableContext;
  private isAsOpened = true;

  constructor(panel: vscode.WebviewPanel, key: string, options: TablePanelOptions) {
    super();
    this.panel = panel;
    this.key = key;
    this.name = v.parse(v.picklist(tableNames), key.slice(0, key.indexOf(' ')));
    this.table = createTableDefinition(this.name);
    this.options = options;
    const { name, table } = this;
    const isVisible = (): boolean => panel.visible;
    // A panel that VS Code restored has a title.
    const restored = panel.title === '' ? undefined : options.choices.query(key).get();
    this.rows = new PanelRows({ ...options, name, table, restored, isVisible, clock: systemClock });
    this.context = this.contextNow();
    this.rpc = this.disposables.add(this.serve());
    this.ledgerPage = this.disposables.add(
      new Followed({
        compute: () => this.rows.pageBehindLedger(),
        show: (pageId) => {
          if (pageId !== undefined && panel.visible) this.rpc.notify('table/changed', { pageId });
        },
        fail: (error) => options.log.failure('following the ledger', error),
        isVisible,
        delayMs: secondMs,
        clock: systemClock,
      }),
    );
    this.disposables.add({ dispose: () => this.rows.forget(false) });
    this.disposables.add(panel);
    this.subscribe();
    this.updateTab();
  }

  /**
   * Replaces the filters, and scrolls to the row that `startAt` names. A page that still loads applies
   * them when it opens. `isOfStoredRow`: the rows are those of the ledger, with the details of that row.
   */
  applyFilters(filters: TableFilters, startAt: StartAt | undefined, isOfStoredRow: boolean): void {
    this.isAsOpened = false;
    this.rows.update({ pending: filters, startAt, isOfStoredRow });
    this.updateTab();
    if (this.rows.state.isDescribed) this.rpc.notify('table/reopen', null);
  }

  private serve(): RpcServer<TableMethods, TableEvents> {
    const { panel, options, rows, name, key } = this;
    const { log, ledger, choices } = options;
    const rowRequests = new RowRequests(rows, {
      ...options,
      layout: choices.layout(name),
      onCopied: (selection) => this.rpc.notify('grid/copied', selection),
    });
    const scope = key.slice(name.length + 1);
    const data = { table: name, scope, texts: JSON.stringify(tableTexts(name)) };
    const handlers: Handlers<TableMethods> = {
      'table/open': this.describe,
      'table/page': this.read,
      'table/synchronise': (_, signal) => synchronise(ledger, name, signal),
      'table/source': (source) =>
        logRejection(log, 'keeping where rows are read', choices.source(name).set(source)),
      'table/prefetch': (query) => rows.prefetch(query),
      'table/weight': this.weight,
      'table/keep': (view) => rows.update({ view }),
      'table/openLink': this.openLink,
      'table/runAction': (action) =>
        logRejection(log, action, vscode.commands.executeCommand(commands[action])),
      'table/export': (filters) => {
        const subject = rows.exportSubject(filters);
        if (subject) options.exportRows(subject);
      },
      ...rowRequests.handlers,
    };
    // Without filters of a command, a new panel of a table opens as the one before did.
    const opening = (): string | undefined => (this.isAsOpened ? `table ${name}` : undefined);
    const page = { name: 'table', data } as const;
    return servePage(panel, page, tableParams, handlers, { ...options, opening }, (error) =>
      log.failure(`table ${name}`, error),
    );
  }

  private subscribe(): void {
    const { active, ledger, display } = this.options;
    this.disposables.add(active.onDidChange(this.onAccountChange));
    this.disposables.add(ledger.onDidWrite(() => this.ledgerPage.change()));
    this.disposables.add(display.onDidChange(this.postDisplay));
    this.disposables.add(
      ledger.onDidChange(() => {
        // There is another choice of sources: the page asks for it.
        if (this.table.kind === 'history') this.rpc.notify('table/reopen', null);
      }),
    );
    this.disposables.add(
      this.panel.onDidChangeViewState(() => {
        if (!this.panel.visible) this.rows.hide();
      }),
    );
  }

  private readonly describe = async (
    _params: null,
    signal: AbortSignal,
  ): Promise<TableDescription> => {
    const { rows, options } = this;
    this.ledgerPage.change();
    const description = await describeTable(rows, options.choices, () => this.contextNow());
    if (!signal.aborted) rows.readFirst(description);
    return description;
  };

  private readonly read = async (query: TableQuery, signal: AbortSignal): Promise<TablePage> => {
    const { rows, name, key } = this;
    const { choices, log } = this.options;
    const before = rows.state.query;
    if (before && !query.ledger && before.size !== query.size)
      logRejection(log, 'keeping the page size', choices.pageSize(name).set(query.size));
    logRejection(log, 'keeping a query', choices.query(key).set(query));
    const page = rows.read(query, signal);
    this.updateTab();
    await page;
    if (query.ledger) this.ledgerPage.change();
    return page;
  };

  private readonly weight = (): string => {
    const { active, display } = this.options;
    if (active.state.kind !== 'open') return '';
    if (this.rows.state.query?.ledger) return t('Synchronises the ledger first');
    const { usage } = active.state.session.rateLimiter;
    return pageWeightText(this.table.operation, usage, display.current);
  };

  /** Replies before the user confirms: the page needs to know only whether the link is valid. */
  private readonly openLink = (link: string): void => {
    const { log, display } = this.options;
    const url = parseLink(link, display.current);
    logRejection(log, 'opening a link', confirmAndOpenLink(url));
  };

  /** Rows of the same account stay until the user refreshes. The annotations follow the account. */
  private readonly onAccountChange = (): void => {
    const { rows, context: before } = this;
    const context = this.contextNow();
    if (JSON.stringify(context) !== JSON.stringify(before)) {
      this.context = context;
      this.rows.forget(before.profile !== null && context.profile !== before.profile);
      this.rpc.notify('table/context', context);
      this.updateTab();
    }
    const { outdatedPageId } = rows.state;
    rows.update(accountRead(rows.state, rows.tradingState));
    const pageId = rows.state.outdatedPageId;
    if (pageId !== null && pageId !== outdatedPageId) this.rpc.notify('table/newer', { pageId });
    if (rows.areAnnotationsOutdated) this.postDisplay();
  };

  private readonly postDisplay = (): void => {
    const { settings: display } = this.options.display.current;
    const page = this.rows.shownRows?.page ?? null;
    this.rpc.notify('table/display', { display, page });
  };

  private updateTab(): void {
    const { panel, table, options, context } = this;
    const { query, pending } = this.rows.state;
    const title = panelTitle(table, query?.filters ?? pending);
    showTab(panel, { title, environment: context.environment }, options.extensionUri);
  }

  /** Whose rows the panel shows. Each session has its own number. */
  private contextNow(): TableContext {
    const { state, generation } = this.options.active;
    if (state.kind === 'closed') return { profile: null, environment: '', session: 0 };
    const { name, environment } =
      state.kind === 'open'
        ? state.session.profile
        : { name: state.name, environment: environmentOfProfile(state.name) };
    const session = state.kind === 'open' ? generation : 0;
    return { profile: name, environment: environmentLabel({ environment }), session };
  }
}

const maxLinkLength = 2000;

/**
 * The address of a link from the exchange. Throws UserFacingError unless it is an `https:` URL without
 * a user name and at most 2,000 characters long.
 */
export function parseLink(text: string, display: Display): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    throw new UserFacingError(t('The link was not opened: only https links can be opened.'));
  if (url.username !== '' || url.password !== '')
    throw new UserFacingError(
      t('The link was not opened: it contains a user name, which could hide its real host.'),
    );
  if (url.href.length > maxLinkLength)
    throw new UserFacingError(
      t('The link was not opened: it is longer than {0} characters.', display.count(maxLinkLength)),
    );
  return url;
}

/** Shows the address of a link and opens it outside VS Code if the user confirms. */
async function confirmAndOpenLink({ host, href }: URL): Promise<void> {
  const question = t('Open a link from the exchange to {0}?', host);
  if (await confirm(question, href, t('Open Link')))
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
}
