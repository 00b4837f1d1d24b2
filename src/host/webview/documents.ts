import * as v from 'valibot';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { documentStateSchema } from '../../protocol/document.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import { panels } from '../shared/contributions.ts';
import { DocumentPanel, type DocumentPanelOptions, type DocumentSource } from './documentPanel.ts';
import { createPanel } from './webviewPage.ts';

/** What a feature shows in panels: one document, or one for each key. */
type DocumentKind = {
  readonly name: string;
  /** What the panel of a key shows, until the panel is closed. */
  readonly source: (key: string, panel: vscode.WebviewPanel) => DocumentSource;
  /** The key of a panel after a reload; undefined if what it showed is gone. The saved key unless given. */
  readonly restored?: (key: string, tabTitle: string) => Promise<string | undefined>;
};

/** The documents of this window. A window shows each of them at most once. */
export class Documents implements Disposable, vscode.WebviewPanelSerializer {
  private readonly disposables = new DisposableStore();
  private readonly options: DocumentPanelOptions;
  private readonly byName = new Map<string, OpenDocuments>();

  constructor(options: DocumentPanelOptions) {
    this.options = options;
  }

  add(kind: DocumentKind): OpenDocuments {
    const open = this.disposables.add(new OpenDocuments(kind, this.options));
    this.byName.set(kind.name, open);
    return open;
  }

  /** Passes a menu command to the document in front. */
  command(command: GridCommand): void {
    for (const open of this.byName.values()) open.command(command);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = v.safeParse(documentStateSchema, saved);
    const open = state.success ? this.byName.get(state.output.kind) : undefined;
    if (!state.success || !open) panel.dispose();
    else await open.restore(panel, state.output.key);
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

/** The open panels of one kind, at most one for each key. */
export class OpenDocuments implements Disposable {
  private readonly kind: DocumentKind;
  private readonly options: DocumentPanelOptions;
  private readonly byKey = new Map<string, DocumentPanel>();
  private readonly didChangeVisibility =
    new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly onDidChangeVisibility = this.didChangeVisibility.event;

  constructor(kind: DocumentKind, options: DocumentPanelOptions) {
    this.kind = kind;
    this.options = options;
  }

  get visible(): boolean {
    return [...this.byKey.values()].some(({ panel }) => panel.visible);
  }

  get(key: string): DocumentPanel | undefined {
    return this.byKey.get(key);
  }

  /** Opens the panel of a key, or reveals it. */
  show(key = '', preserveFocus = false): void {
    const open = this.byKey.get(key);
    if (open) open.panel.reveal(undefined, preserveFocus);
    else this.adopt(createPanel(panels.document, preserveFocus), key);
  }

  /** A second panel of a key, or one of nothing, is closed. */
  async restore(panel: vscode.WebviewPanel, saved: string): Promise<void> {
    const { restored } = this.kind;
    const key = restored ? await restored(saved, panel.title) : saved;
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

  command(command: GridCommand): void {
    for (const open of this.byKey.values()) if (open.panel.active) open.command(command);
  }

  dispose(): void {
    for (const open of this.byKey.values()) open.dispose();
    this.didChangeVisibility.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, key: string): void {
    const { name, source } = this.kind;
    const open = new DocumentPanel(panel, { kind: name, key }, source(key, panel), this.options);
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
