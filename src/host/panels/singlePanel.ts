import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { createPanel } from './webviewPage.ts';

type OwnPanel = Disposable & { readonly panel: vscode.WebviewPanel };

/** A page that a window shows at most once, opened by a command or restored after a reload. */
export class SinglePanel<Own extends OwnPanel> implements Disposable {
  private readonly viewType: string;
  private readonly serve: (panel: vscode.WebviewPanel) => Own;
  private readonly onDidChangeState: () => void;
  private open: Own | undefined;

  /** `serve` makes the host's end of a page. */
  constructor(
    viewType: string,
    serve: (panel: vscode.WebviewPanel) => Own,
    onDidChangeState: () => void = () => undefined,
  ) {
    this.viewType = viewType;
    this.serve = serve;
    this.onDidChangeState = onDidChangeState;
  }

  /** Undefined while it is closed. */
  get current(): Own | undefined {
    return this.open;
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
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const open = this.serve(panel);
    this.open = open;
    panel.onDidChangeViewState(this.onDidChangeState);
    panel.onDidDispose(() => {
      this.open = undefined;
      open.dispose();
      this.onDidChangeState();
    });
    this.onDidChangeState();
  }
}
