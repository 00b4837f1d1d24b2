import * as v from 'valibot';
import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { readLedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import {
  ledgerActionSchema,
  type LedgerAction,
  type LedgerDocument,
  type LedgerPageEvents,
  type LedgerPageMethods,
} from '../../protocol/ledgerMap.ts';
import type { Ledgers } from '../../ledger/ledgers.ts';
import type { RpcServer } from '../../protocol/rpcServer.ts';
import { commands, type CommandId } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { nameAccountTab } from '../webview/tab.ts';
import { serveDocumentPage, type DocumentPageOptions } from '../webview/webviewPage.ts';
import { errorText } from '../text/failureText.ts';
import { closedDocument, ledgerDocument, noLedgerDocument } from './ledgerDocument.ts';
import type { AccountLedger } from './openLedger.ts';
import type { ProfileLedgers } from './profileLedgers.ts';

export type LedgerPanelOptions = DocumentPageOptions & {
  readonly active: ActiveAccount;
  readonly profileLedgers: ProfileLedgers;
  readonly shown: AccountLedger;
  readonly ledgers: Pick<Ledgers, 'bytesOf'>;
  /** Runs a command, which reports its own failures. */
  readonly run: (id: CommandId) => void;
  /** Downloads what is missing; reports its own failures. */
  readonly fillGaps: () => void;
};

/** The host's end of the page of a ledger: that of the account that is open, as it is. */
export class LedgerPanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: LedgerPanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly rpc: RpcServer<LedgerPageMethods, LedgerPageEvents>;
  private account: AccountSession | undefined;
  /** The document that the page has, as JSON. */
  private sent = '';
  private isUpdateDue = false;
  private isUpdating = false;

  constructor(panel: vscode.WebviewPanel, options: LedgerPanelOptions) {
    this.panel = panel;
    this.options = options;
    const { active, display, shown } = options;
    const handlers = {
      'ledger/open': { params: v.null(), run: this.describe },
      'ledger/press': { params: ledgerActionSchema, run: this.press },
    };
    const page = { name: 'ledger', data: {} } as const;
    this.rpc = this.disposables.add(
      serveDocumentPage<LedgerPageMethods, LedgerPageEvents>(panel, page, handlers, options),
    );
    this.disposables.add(panel);
    for (const event of [shown.onDidChange, shown.onDidWrite, display.onDidChange])
      this.disposables.add(event(() => this.update()));
    this.disposables.add(active.onDidChange(() => this.followAccount()));
    this.account = this.openAccount;
    this.updateTitle();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** The page shows nothing that a read of the account changes. */
  private followAccount(): void {
    const { account, openAccount } = this;
    this.account = openAccount;
    this.updateTitle();
    if (openAccount !== account) this.update();
  }

  private get openAccount(): AccountSession | undefined {
    const { state } = this.options.active;
    return state.kind === 'open' ? state.session : undefined;
  }

  private readonly describe = async (): Promise<LedgerDocument> => {
    const document = await this.document();
    this.sent = JSON.stringify(document);
    return document;
  };

  private async document(): Promise<LedgerDocument> {
    const { profileLedgers, display, ledgers } = this.options;
    const account = this.openAccount;
    if (!account) return closedDocument();
    const ledger = profileLedgers.open;
    if (!ledger)
      return noLedgerDocument(
        account,
        vscode.l10n.t('This account has no ledger. Download its history to start one.'),
      );
    try {
      const summary = await readLedgerSummary(ledger.reader, ledger.writer);
      const bytes = ledgers.bytesOf(ledger.id);
      return ledgerDocument(
        ledger.account,
        summary,
        bytes,
        display.latest(),
        account.client.serverNow(),
      );
    } catch (error) {
      return noLedgerDocument(ledger.account, errorText(error, display.latest()));
    }
  }

  private readonly press = (action: LedgerAction): void => {
    if (action === 'fillGaps') this.options.fillGaps();
    else this.options.run(commands[action]);
  };

  /**
   * Posts only what changed. What changes while the ledger is read is read after that. A hidden page is
   * discarded, and asks again when it is shown.
   */
  private update(): void {
    if (!this.panel.visible) return;
    this.isUpdateDue = true;
    if (this.isUpdating) return;
    this.isUpdating = true;
    logRejection(this.options.log, 'the page of the ledger', this.updateAll());
  }

  private async updateAll(): Promise<void> {
    try {
      while (this.isUpdateDue) {
        this.isUpdateDue = false;
        const document = await this.document();
        const json = JSON.stringify(document);
        if (json !== this.sent) this.rpc.notify('ledger/changed', document);
        this.sent = json;
      }
    } finally {
      this.isUpdating = false;
    }
  }

  private updateTitle(): void {
    const { active, extensionUri } = this.options;
    nameAccountTab(this.panel, vscode.l10n.t('Ledger'), active, extensionUri);
  }
}
