import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';

/** The host's end of a page. */
type PanelEnd = Disposable & {
  readonly panel: vscode.WebviewPanel;
  readonly rpc: { notify(name: 'grid/command', command: GridCommand): void };
};

type OpenPanelsOptions<End> = {
  readonly viewType: string;
  readonly serve: (panel: vscode.WebviewPanel, key: string) => End;
  /** The user closed the panel of this key. */
  readonly closed?: (key: string) => void;
};

/** The open panels of one kind, at most one for each key. */
export class OpenPanels<End extends PanelEnd> implements Disposable {
  private readonly options: OpenPanelsOptions<End>;
  private readonly byKey = new Map<string, End>();
  private readonly didChangeVisibility =
    new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly onDidChangeVisibility = this.didChangeVisibility.event;

  constructor(options: OpenPanelsOptions<End>) {
    this.options = options;
  }

  get all(): readonly End[] {
    return [...this.byKey.values()];
  }

  /** The one in front. */
  get active(): End | undefined {
    return this.all.find(({ panel }) => panel.active);
  }

  /** Has the page in front do something with its selected cells, its active row or its active column. */
  command(command: GridCommand): void {
    this.active?.rpc.notify('grid/command', command);
  }

  get visible(): boolean {
    return this.all.some(({ panel }) => panel.visible);
  }

  get(key: string): End | undefined {
    return this.byKey.get(key);
  }

  /** Opens the panel of a key in the column of the active editor, or reveals it. */
  show(key = '', preserveFocus = false): End {
    const open = this.byKey.get(key);
    open?.panel.reveal(undefined, preserveFocus);
    if (open) return open;
    const { window, ViewColumn } = vscode;
    const viewColumn = window.activeTextEditor?.viewColumn ?? ViewColumn.Active;
    const place = { viewColumn, preserveFocus };
    return this.adopt(window.createWebviewPanel(this.options.viewType, '', place), key);
  }

  /** After a reload. A second panel of a key, or one of nothing, is closed. */
  restore(panel: vscode.WebviewPanel, key: string | undefined): void {
    if (key === undefined || this.byKey.has(key)) panel.dispose();
    else this.adopt(panel, key);
  }

  /** Another key for an open panel; one that has it already is closed. */
  rename(from: string, to: string): void {
    const open = this.byKey.get(from);
    if (!open) return;
    this.byKey.get(to)?.dispose();
    this.byKey.delete(from);
    this.byKey.set(to, open);
  }

  /** The window closes: its panels are there again after a reload, unlike those that the user closes. */
  dispose(): void {
    const { all } = this;
    this.byKey.clear();
    for (const open of all) open.dispose();
    this.didChangeVisibility.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, key: string): End {
    const own = this.options.serve(panel, key);
    this.byKey.set(key, own);
    const report = (): void => this.didChangeVisibility.fire({ visible: this.visible });
    panel.onDidChangeViewState(report);
    panel.onDidDispose(() => {
      for (const [name, each] of this.byKey)
        if (each === own && this.byKey.delete(name)) this.options.closed?.(name);
      own.dispose();
      report();
    });
    report();
    return own;
  }
}
