import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { panels } from '../contributions.ts';
import { createPanel } from '../panels/webviewPage.ts';
import { ReconciliationPanel, type ReconciliationPanelOptions } from './reconciliationPanel.ts';

/** The reconciliation of this window: at most one panel, opened or restored after a reload. */
export class AccountReconciliation implements Disposable {
  private readonly options: ReconciliationPanelOptions;
  private open: ReconciliationPanel | undefined;

  constructor(options: ReconciliationPanelOptions) {
    this.options = options;
  }

  show(): void {
    if (this.open) this.open.panel.reveal();
    else this.adopt(createPanel(panels.reconciliation));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): void {
    if (this.open) panel.dispose();
    else this.adopt(panel);
  }

  dispose(): void {
    this.open?.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const open = new ReconciliationPanel(panel, this.options);
    this.open = open;
    panel.onDidDispose(() => {
      this.open = undefined;
      open.dispose();
    });
  }
}
