import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { panels } from '../contributions.ts';
import type { Log } from '../log.ts';
import { TablePanel } from './tablePanel.ts';

/** The table panels of this window: one a table, opened by a command or brought back after a reload. */
export class TablePanels implements Disposable, vscode.WebviewPanelSerializer {
  private readonly disposables = new DisposableStore();
  private readonly extensionUri: vscode.Uri;
  private readonly active: ActiveAccount;
  private readonly log: Log;
  private open: TablePanel | undefined;

  constructor(extensionUri: vscode.Uri, active: ActiveAccount, log: Log) {
    this.extensionUri = extensionUri;
    this.active = active;
    this.log = log;
    this.disposables.add(vscode.window.registerWebviewPanelSerializer(panels.table, this));
  }

  /** Shows the order history; a panel that is open already comes to the front. */
  showOrders(): void {
    if (this.open) {
      this.open.reveal();
      return;
    }
    const column = vscode.window.activeTextEditor?.viewColumn ?? vscode.ViewColumn.Active;
    this.adopt(vscode.window.createWebviewPanel(panels.table, '', column));
  }

  /** After a reload: the page has kept its own query and asks for it again. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.open) panel.dispose();
    else this.adopt(panel);
    return Promise.resolve();
  }

  dispose(): void {
    this.open?.dispose();
    this.disposables.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const own = new TablePanel(panel, this.extensionUri, this.active, this.log);
    this.open = own;
    panel.onDidDispose(() => {
      if (this.open === own) this.open = undefined;
      own.dispose();
    });
  }
}
