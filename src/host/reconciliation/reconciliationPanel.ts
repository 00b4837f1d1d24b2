import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { systemClock } from '../../base/time.ts';
import type {
  ReconciliationDocument,
  ReconciliationEvents,
  ReconciliationMethods,
} from '../../protocol/reconciliationMessages.ts';
import type { RpcServer } from '../../protocol/rpcServer.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import { serveDocumentPage, type DocumentPageOptions } from '../panels/webviewPage.ts';
import { accountLabel } from '../text/messageText.ts';
import { reconciliationDocument, type ReconciliationState } from './reconciliationDocument.ts';

export type ReconciliationPanelOptions = DocumentPageOptions & {
  readonly active: ActiveAccount;
  readonly ledger: AccountLedger;
};

/** The host's end of the page of a reconciliation: that of the account that is open. */
export class ReconciliationPanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: ReconciliationPanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly rpc: RpcServer<ReconciliationMethods, ReconciliationEvents>;
  private state: ReconciliationState = { kind: 'noLedger' };
  /** The document that the page has, as JSON. */
  private sent = '';
  private ledgerListener: Disposable | undefined;

  constructor(panel: vscode.WebviewPanel, options: ReconciliationPanelOptions) {
    this.panel = panel;
    this.options = options;
    const { active, display, ledger } = options;
    this.rpc = this.disposables.add(this.serve());
    this.disposables.add(panel);
    this.disposables.add(ledger.onDidChange(() => this.followLedger()));
    for (const { onDidChange } of [active, display])
      this.disposables.add(onDidChange(() => this.redraw()));
    this.followLedger();
  }

  dispose(): void {
    this.ledgerListener?.dispose();
    this.disposables.dispose();
  }

  private serve(): RpcServer<ReconciliationMethods, ReconciliationEvents> {
    const page = { name: 'reconciliation', data: {} } as const;
    const handlers = {
      'reconciliation/open': { params: v.null(), run: this.describe },
      'reconciliation/refresh': { params: v.null(), run: this.compute },
    };
    return serveDocumentPage<ReconciliationMethods, ReconciliationEvents>(
      this.panel.webview,
      page,
      handlers,
      this.options,
    );
  }

  private followLedger(): void {
    this.ledgerListener?.dispose();
    this.ledgerListener = this.options.ledger.current?.onDidChange(() => this.markOutdated());
    this.compute();
  }

  /** Rows arrive often: it is computed again only on request. */
  private markOutdated(): void {
    if (this.state.kind === 'computed') this.show({ ...this.state, isOutdated: true });
  }

  private readonly compute = (): void => {
    const ledger = this.options.ledger.current;
    if (!ledger) this.show({ kind: 'noLedger' });
    else void this.computeOf(ledger);
  };

  /** What was computed of a ledger that is no longer open, or before a later request, is not shown. */
  private async computeOf({ reader }: OpenLedger): Promise<void> {
    const computing: ReconciliationState = { kind: 'computing' };
    this.show(computing);
    const computed = await reader.reconcile().then(
      (report): ReconciliationState => {
        const computedAt = systemClock.now();
        return { kind: 'computed', report, computedAt, isOutdated: false };
      },
      (error: unknown): ReconciliationState => {
        this.options.log.failure('the reconciliation', error);
        return { kind: 'failed', error };
      },
    );
    if (this.state === computing) this.show(computed);
  }

  private show(state: ReconciliationState): void {
    this.state = state;
    this.redraw();
  }

  private redraw(): void {
    this.updateTitle();
    const document = this.document();
    const json = JSON.stringify(document);
    if (json !== this.sent) this.rpc.notify('reconciliation/changed', document);
    this.sent = json;
  }

  private readonly describe = (): ReconciliationDocument => {
    const document = this.document();
    this.sent = JSON.stringify(document);
    return document;
  };

  private document(): ReconciliationDocument {
    const { state } = this.options.active;
    const profile = state.kind === 'open' ? state.session.profile : undefined;
    return reconciliationDocument(profile, this.state, this.options.display.latest());
  }

  private updateTitle(): void {
    const { state } = this.options.active;
    const title = vscode.l10n.t('Reconciliation');
    const owner = state.kind === 'open' ? ` · ${accountLabel(state.session.profile, 40)}` : '';
    if (this.panel.title !== title + owner) this.panel.title = title + owner;
  }
}
