import * as v from 'valibot';
import type * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
import { documentStateSchema } from '../../protocol/document.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import { setContextKey } from '../shared/contextKey.ts';
import { contextKeys, panels } from '../shared/contributions.ts';
import { DocumentPanel, type DocumentPanelOptions, type DocumentSource } from './documentPanel.ts';
import { OpenPanels } from './openPanels.ts';

/** What a feature shows in panels: one document, or one for each key. */
type DocumentKind = {
  readonly name: string;
  /** What the panel of a key shows, until the panel is closed. */
  readonly source: (key: string, panel: vscode.WebviewPanel) => DocumentSource;
  /** The key of a panel after a reload; undefined if what it showed is gone. The saved key unless given. */
  readonly restored?: (key: string, tabTitle: string) => Promise<string | undefined>;
};

export type OpenDocuments = OpenPanels<DocumentPanel>;

/** The documents of this window. A window shows each of them at most once. */
export class Documents extends DisposableOwner implements vscode.WebviewPanelSerializer {
  private readonly options: DocumentPanelOptions;
  private readonly byName = new Map<string, DocumentKind & { readonly open: OpenDocuments }>();

  constructor(options: DocumentPanelOptions) {
    super();
    this.options = options;
  }

  add(kind: DocumentKind): OpenDocuments {
    const { name, source } = kind;
    const open = this.disposables.add(
      new OpenPanels({
        viewType: panels.document,
        serve: (panel, key) =>
          new DocumentPanel(panel, { kind: name, key }, source(key, panel), this.options),
      }),
    );
    this.byName.set(name, { ...kind, open });
    open.onDidChangeVisibility(() => {
      const front = [...this.byName].find((each) => each[1].open.active)?.[0] ?? '';
      setContextKey(this.options.log, contextKeys.document, front);
    });
    return open;
  }

  /** Passes a menu command to the document in front. */
  command(command: GridCommand): void {
    for (const { open } of this.byName.values()) open.command(command);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = v.safeParse(documentStateSchema, saved);
    const { kind: name = '', key = '' } = state.success ? state.output : {};
    const kind = this.byName.get(name);
    if (!kind) panel.dispose();
    else kind.open.restore(panel, kind.restored ? await kind.restored(key, panel.title) : key);
  }
}
