import * as vscode from 'vscode';
import { commands } from '../contributions.ts';
import { idsInText } from './idsInText.ts';
import { ifReadable, type IdContext } from './idContext.ts';
import { storedIds } from './storedIds.ts';

/** A longer document has hovers only: VS Code asks again for its links after each change. */
const mostCharacters = 2 ** 20;

/** The links of a document. */
export class DocumentIds implements vscode.DocumentLinkProvider {
  private readonly context: IdContext;

  constructor(context: IdContext) {
    this.context = context;
  }

  provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[]> {
    return ifReadable(this.context, [], () => this.linksOf(document, token));
  }

  private async linksOf(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[]> {
    const reader = this.context.ledger.current?.reader;
    if (!reader || !hasLinks(document)) return [];
    const { version } = document;
    const found = await storedIds(idsInText(document.getText()), reader, token);
    if (document.version !== version) return [];
    return found.map(({ id, place, start, end }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const argument = encodeURIComponent(JSON.stringify([{ id, place }]));
      const link = new vscode.DocumentLink(
        range,
        vscode.Uri.parse(`command:${commands.findId}?${argument}`),
      );
      link.tooltip = vscode.l10n.t('Show Row');
      return link;
    });
  }
}

/** Whether a document is short enough to have links. Does not make its text. */
export function hasLinks(document: vscode.TextDocument): boolean {
  const end = document.lineAt(document.lineCount - 1).range.end;
  return document.offsetAt(end) <= mostCharacters;
}
