import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { panels } from '../contributions.ts';
import { SinglePanel } from '../panels/singlePanel.ts';
import { OverviewPanel, type OverviewPanelOptions } from './overviewPanel.ts';

/** The account overview of this window, which the account is polled for while it is visible. */
export class AccountOverview implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly didChangeVisibility = this.disposables.add(
    new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>(),
  );
  readonly page: SinglePanel<OverviewPanel>;
  readonly onDidChangeVisibility = this.didChangeVisibility.event;

  constructor(options: OverviewPanelOptions) {
    const reportVisibility = (): void => this.didChangeVisibility.fire({ visible: this.visible });
    const serve = (panel: vscode.WebviewPanel) => new OverviewPanel(panel, options);
    this.page = this.disposables.add(new SinglePanel(panels.overview, serve, reportVisibility));
  }

  get visible(): boolean {
    return this.page.current?.panel.visible ?? false;
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
