import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { createPanel } from './webviewPage.ts';

type OwnPanel = Disposable & { readonly panel: vscode.WebviewPanel };

/** A page that a window shows at most once, opened by a command or restored after a reload. */
export class SinglePanel<Own extends OwnPanel> implements Disposable {
  private readonly viewType: string;
  private readonly serve: (panel: vscode.WebviewPanel) => Own;
  private readonly didChangeVisibility =
    new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly onDidChangeVisibility = this.didChangeVisibility.event;
  private open: Own | undefined;

  /** `serve` makes the host's end of a page. */
  constructor(viewType: string, serve: (panel: vscode.WebviewPanel) => Own) {
    this.viewType = viewType;
    this.serve = serve;
  }

  /** Undefined while it is closed. */
  get current(): Own | undefined {
    return this.open;
  }

  get visible(): boolean {
    return this.open?.panel.visible ?? false;
  }

  show(): void {
    if (this.open) this.open.panel.reveal();
    else this.adopt(createPanel(this.viewType));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): void {
    if (this.open) panel.dispose();
    else this.adopt(panel);
  }

  dispose(): void {
    this.open?.dispose();
    this.didChangeVisibility.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const open = this.serve(panel);
    this.open = open;
    const report = (): void => this.didChangeVisibility.fire({ visible: this.visible });
    panel.onDidChangeViewState(report);
    panel.onDidDispose(() => {
      this.open = undefined;
      open.dispose();
      report();
    });
    report();
  }
}
