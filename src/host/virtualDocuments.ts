import * as vscode from 'vscode';
import type { Display } from '../base/display.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { DisplayState } from './settings/displayState.ts';

const scheme = 'margin-desk';

type VirtualDocument = { readonly uri: vscode.Uri; readonly text: (display: Display) => string };

/**
 * Read-only documents for text that is too long for a message. They live as long as the window and are
 * redrawn when the display changes, so that privacy mode hides their figures.
 */
export class VirtualDocuments implements Disposable, vscode.TextDocumentContentProvider {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly documents = new Map<string, VirtualDocument>();
  private readonly display: DisplayState;

  readonly onDidChange = this.didChange.event;

  constructor(display: DisplayState) {
    this.display = display;
    this.disposables.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.disposables.add(display.onDidChange(() => this.refresh()));
  }

  /** Opens a new document; an older one of the same name stays as it is. */
  async show(name: string, text: VirtualDocument['text']): Promise<void> {
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

  private refresh(): void {
    for (const { uri } of this.documents.values()) this.didChange.fire(uri);
  }
}
