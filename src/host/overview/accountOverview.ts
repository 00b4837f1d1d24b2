import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import { panels } from '../contributions.ts';
import { createPanel } from '../panels/webviewPage.ts';
import { OverviewPanel, type OverviewPanelOptions } from './overviewPanel.ts';

/** The account overview of this window: at most one panel, opened or restored after a reload. */
export class AccountOverview implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: OverviewPanelOptions;
  private readonly didChangeVisibility = this.disposables.add(
    new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>(),
  );
  private open: OverviewPanel | undefined;

  readonly onDidChangeVisibility = this.didChangeVisibility.event;

  constructor(options: OverviewPanelOptions) {
    this.options = options;
  }

  get visible(): boolean {
    return this.open?.panel.visible ?? false;
  }

  show(): void {
    if (this.open) this.open.panel.reveal();
    else this.adopt(createPanel(panels.overview));
  }

  /** Passes a menu command to the page, if it is in front. */
  runInActive(command: GridCommand): void {
    if (this.open?.panel.active) this.open.command(command);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): void {
    if (this.open) panel.dispose();
    else this.adopt(panel);
  }

  dispose(): void {
    this.open?.dispose();
    this.disposables.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const open = new OverviewPanel(panel, this.options);
    this.open = open;
    panel.onDidChangeViewState(() => this.reportVisibility());
    panel.onDidDispose(() => {
      this.open = undefined;
      open.dispose();
      this.reportVisibility();
    });
    this.reportVisibility();
  }

  private reportVisibility(): void {
    this.didChangeVisibility.fire({ visible: this.visible });
  }
}
