import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { Histories } from '../../account/histories.ts';
import { environmentLabel } from '../../account/profile.ts';
import type { Session } from '../../account/session.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import { Rpc, type Methods, type Port, type RpcFailure } from '../../protocol/rpc.ts';
import {
  tableQuerySchema,
  type TableContext,
  type TableDescription,
  type TableEvents,
  type TableMethods,
  type TablePage,
  type TableQuery,
} from '../../protocol/table.ts';
import * as v from 'valibot';
import type { Log } from '../log.ts';
import { quoted, sentenceFor } from '../words.ts';
import { orderCells, orderColumns, orderFilters, orderQuery } from './orderTable.ts';
import { pageRoots, webviewHtml } from './webviewHtml.ts';

type HostRpc = Rpc<TableMethods, Methods, Record<string, never>, TableEvents>;

/** The host's half of one table page: answers what it asks, and tells it whose rows it shows. */
export class TablePanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly active: ActiveAccount;
  private readonly log: Log;
  private readonly rpc: HostRpc;
  private readonly panel: vscode.WebviewPanel;
  private histories: { readonly session: Session; readonly reader: Histories } | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    active: ActiveAccount,
    log: Log,
  ) {
    this.panel = panel;
    this.active = active;
    this.log = log;
    this.rpc = this.disposables.add(this.conversation(panel.webview));
    this.disposables.add(panel);
    let told = JSON.stringify(this.context());
    this.disposables.add(
      active.onDidChange(() => {
        const context = this.context();
        if (JSON.stringify(context) === told) return;
        told = JSON.stringify(context);
        this.rpc.tell('table/context', context);
        this.drawTitle();
      }),
    );
    this.drawTitle();
    panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    panel.webview.html = webviewHtml(panel.webview, extensionUri, 'Margin Desk');
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.histories?.reader.dispose();
    this.disposables.dispose();
  }

  private conversation(webview: vscode.Webview): HostRpc {
    const port: Port = {
      post: (message) => void webview.postMessage(message),
      onMessage: (listener) => webview.onDidReceiveMessage(listener),
    };
    return new Rpc<TableMethods, Methods, Record<string, never>, TableEvents>({
      port,
      clock: systemClock,
      epoch: 'host',
      deadlineMs: 30_000,
      handlers: {
        'table/open': { parse: () => null, run: () => this.describe() },
        'table/page': {
          parse: (params) => v.parse(tableQuerySchema, params),
          run: (query, signal) => this.page(query, signal),
        },
      },
      listeners: {},
      toFailure: (error) => this.toFailure(error),
    });
  }

  private async describe(): Promise<TableDescription> {
    const session = await this.active.session().catch(() => undefined);
    return {
      table: 'orders',
      title: vscode.l10n.t('Order History'),
      columns: orderColumns(),
      filters: orderFilters((await session?.symbols()) ?? []),
      pageSizes: [20, 50, 100, 500],
      context: this.context(),
    };
  }

  private async page(query: TableQuery, signal: AbortSignal): Promise<TablePage> {
    const session = await this.active.session();
    const { value, badRecords } = await this.reader(session).orders(orderQuery(query), signal);
    const columns = orderColumns();
    return {
      rows: value.content.map((order) => orderCells(order, columns)),
      totalPages: value.totalPages,
      totalElements: value.totalElements,
      badRecords: badRecords.map(({ problem }) => quoted(problem)),
      readAt: systemClock.now(),
    };
  }

  private reader(session: Session): Histories {
    if (this.histories?.session !== session) {
      this.histories?.reader.dispose();
      this.histories = { session, reader: new Histories(session.client) };
    }
    return this.histories.reader;
  }

  private context(): TableContext {
    const { state } = this.active;
    if (state.kind !== 'open') return { profile: null, environment: '' };
    const { profile } = state.session;
    return { profile: profile.name, environment: environmentLabel(profile) };
  }

  private drawTitle(): void {
    const { environment } = this.context();
    const title = vscode.l10n.t('Order History');
    this.panel.title = environment === '' ? title : `${title} · ${environment}`;
  }

  private toFailure(error: unknown): RpcFailure {
    this.log.failure('table/page', error);
    const sentence = sentenceFor(error);
    if (!(error instanceof ExchangeError)) return { kind: 'configuration', sentence };
    const { kind, retryAfterMs } = error.failure;
    return retryAfterMs === undefined
      ? { kind, sentence }
      : { kind, sentence, retryAt: systemClock.now() + retryAfterMs };
  }
}
