import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { panels } from '../contributions.ts';
import { createPanel } from '../panels/webviewPage.ts';
import { LedgerPanel, type LedgerPanelOptions } from './ledgerPanel.ts';

/** The page of the ledger in this window: at most one, opened or restored after a reload. */
export class LedgerPages implements Disposable {
  private readonly options: LedgerPanelOptions;
  private open: LedgerPanel | undefined;

  constructor(options: LedgerPanelOptions) {
    this.options = options;
  }

  /** Asks first whether to start a ledger, if the open account has none. */
  async show(): Promise<void> {
    if (!(await this.options.profileLedgers.require())) return;
    if (this.open) this.open.panel.reveal();
    else this.adopt(createPanel(panels.ledger));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): void {
    if (this.open) panel.dispose();
    else this.adopt(panel);
  }

  dispose(): void {
    this.open?.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const open = new LedgerPanel(panel, this.options);
    this.open = open;
    panel.onDidDispose(() => {
      this.open = undefined;
      open.dispose();
    });
  }
}
