import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';

const scheme = 'margin-desk';

/** Read-only documents that live as long as the window: what a message has no room for. */
export class Documents implements Disposable, vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    scheme,
    this,
  );

  /** Opens `text` in an editor under `name`; an older document of that name stays as it was. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${this.texts.size + 1}/${name}` });
    this.texts.set(uri.path, text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.texts.get(path) ?? '';
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }
}
