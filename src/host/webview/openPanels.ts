import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import { createPanel } from './webviewPage.ts';

type OwnPanel = Disposable & {
  readonly panel: vscode.WebviewPanel;
  command(command: GridCommand): void;
};

/** The panels of one kind that are open in this window, at most one for each key. */
export class OpenPanels<Own extends OwnPanel> implements Disposable {
  private readonly viewType: string;
  private readonly serve: (panel: vscode.WebviewPanel, key: string) => Own;
  private readonly byKey = new Map<string, Own>();
  private readonly didChangeVisibility =
    new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly onDidChangeVisibility = this.didChangeVisibility.event;

  /** `serve` makes the host's end of a page. */
  constructor(viewType: string, serve: (panel: vscode.WebviewPanel, key: string) => Own) {
    this.viewType = viewType;
    this.serve = serve;
  }

  get visible(): boolean {
    return [...this.byKey.values()].some(({ panel }) => panel.visible);
  }

  get(key: string): Own | undefined {
    return this.byKey.get(key);
  }

  /** Opens the panel of a key, or reveals it. */
  show(key = '', preserveFocus = false): void {
    const open = this.byKey.get(key);
    if (open) open.panel.reveal(undefined, preserveFocus);
    else this.adopt(createPanel(this.viewType, preserveFocus), key);
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

  /** Passes a menu command to the panel in front. */
  command(command: GridCommand): void {
    for (const open of this.byKey.values()) if (open.panel.active) open.command(command);
  }

  dispose(): void {
    for (const open of this.byKey.values()) open.dispose();
    this.didChangeVisibility.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, key: string): void {
    const open = this.serve(panel, key);
    this.byKey.set(key, open);
    const report = (): void => this.didChangeVisibility.fire({ visible: this.visible });
    panel.onDidChangeViewState(report);
    panel.onDidDispose(() => {
      for (const [name, each] of this.byKey) if (each === open) this.byKey.delete(name);
      open.dispose();
      report();
    });
    report();
  }
}
