import * as vscode from 'vscode';
import type { Display } from '../base/display.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { DisplayState } from './displayState.ts';

const scheme = 'margin-desk';

type Document = { readonly uri: vscode.Uri; readonly text: (display: Display) => string };

/**
 * Read-only documents that live as long as the window: what a message has no room for. One that is
 * open follows the display, so that privacy leaves no figure in it.
 */
export class Documents implements Disposable, vscode.TextDocumentContentProvider {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly documents = new Map<string, Document>();
  private readonly display: DisplayState;

  readonly onDidChange = this.didChange.event;

  constructor(display: DisplayState) {
    this.display = display;
    this.disposables.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.disposables.add(display.onDidChange(() => this.draw()));
  }

  /** Opens `text` in an editor under `name`; an older document of that name stays as it was. */
  async show(name: string, text: Document['text']): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${this.documents.size + 1}/${name}` });
    this.documents.set(uri.path, { uri, text });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.documents.get(path)?.text(this.display.current) ?? '';
  }

  dispose(): void {
    this.disposables.dispose();
    this.documents.clear();
  }

  private draw(): void {
    for (const { uri } of this.documents.values()) this.didChange.fire(uri);
  }
}
