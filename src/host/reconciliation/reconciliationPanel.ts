import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import {
  rowPlaceSchema,
  type ReconciliationDocument,
  type ReconciliationEvents,
  type ReconciliationMethods,
  type RowPlace,
} from '../../protocol/reconciliationMessages.ts';
import type { RpcServer } from '../../protocol/rpcServer.ts';
import { nameAccountTab } from '../webview/tab.ts';
import { serveDocumentPage, type DocumentPageOptions } from '../webview/webviewPage.ts';
import type { AccountReconciliation } from './accountReconciliation.ts';
import { reconciliationDocument } from './reconciliationDocument.ts';
import { storedRowsAt, type StoredRows } from './storedRows.ts';

type ReconciliationPanelOptions = DocumentPageOptions & {
  readonly active: ActiveAccount;
  readonly reconciliation: AccountReconciliation;
  /** Opens the panel of rows of the ledger. */
  readonly showStored: (rows: StoredRows) => void;
};

/** The host's end of the page of a reconciliation: that of the account that is open. */
export class ReconciliationPanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: ReconciliationPanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly rpc: RpcServer<ReconciliationMethods, ReconciliationEvents>;
  /** The document that the page has, as JSON. */
  private sent = '';

  constructor(panel: vscode.WebviewPanel, options: ReconciliationPanelOptions) {
    this.panel = panel;
    this.options = options;
    const { active, display, reconciliation } = options;
    this.rpc = this.disposables.add(this.serve());
    this.disposables.add(panel);
    for (const { onDidChange } of [active, display, reconciliation])
      this.disposables.add(onDidChange(() => this.redraw()));
    this.updateTitle();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private serve(): RpcServer<ReconciliationMethods, ReconciliationEvents> {
    const page = { name: 'reconciliation', data: {} } as const;
    const handlers = {
      'reconciliation/open': { params: v.null(), run: this.describe },
      'reconciliation/refresh': {
        params: v.null(),
        run: () => this.options.reconciliation.compute(),
      },
      'reconciliation/show': { params: rowPlaceSchema, run: this.showRows },
    };
    return serveDocumentPage<ReconciliationMethods, ReconciliationEvents>(
      this.panel,
      page,
      handlers,
      this.options,
    );
  }

  private readonly showRows = (place: RowPlace): void => {
    const { reconciliation, showStored } = this.options;
    const { state } = reconciliation;
    const isShown = state.kind === 'computed' && state.computedAt === place.computedAt;
    const rows = isShown ? storedRowsAt(state.report, place) : undefined;
    if (rows) showStored(rows);
  };

  private redraw(): void {
    this.updateTitle();
    const document = this.document();
    const json = JSON.stringify(document);
    if (json !== this.sent) this.rpc.notify('reconciliation/changed', document);
    this.sent = json;
  }

  /** A page asks each time that it comes into sight. */
  private readonly describe = (): ReconciliationDocument => {
    this.options.reconciliation.want();
    const document = this.document();
    this.sent = JSON.stringify(document);
    return document;
  };

  private document(): ReconciliationDocument {
    const { active, reconciliation, display } = this.options;
    const profile = active.state.kind === 'open' ? active.state.session.profile : undefined;
    return reconciliationDocument(profile, reconciliation.state, display.latest());
  }

  private updateTitle(): void {
    const { active, extensionUri } = this.options;
    nameAccountTab(this.panel, vscode.l10n.t('Reconciliation'), active, extensionUri);
  }
}
