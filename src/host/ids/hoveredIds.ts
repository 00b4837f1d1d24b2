import * as vscode from 'vscode';
import { commands } from '../contributions.ts';
import { appendLinks, appendTable } from '../text/hoverTable.ts';
import { hasLinks } from './documentIds.ts';
import { idsInText } from './idsInText.ts';
import { relatedColumns, relatedRows } from './idText.ts';
import { ifReadable, type IdContext } from './idContext.ts';
import { storedIds, type StoredId } from './storedIds.ts';
import { relatedTo, recordOf } from './storedRecords.ts';

/** More than an id and the word before it, on either side. */
const mostAround = 200;

/** The hover of an id in a document of any length: what belongs to its record. */
export class HoveredIds implements vscode.HoverProvider {
  private readonly context: IdContext;

  constructor(context: IdContext) {
    this.context = context;
  }

  provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    return ifReadable(this.context, undefined, () => this.hoverOf(document, position, token));
  }

  private async hoverOf(
    document: vscode.TextDocument,
    { line, character }: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const reader = this.context.ledger.current?.reader;
    if (!reader) return undefined;
    const from = Math.max(0, character - mostAround);
    const text = document.getText(new vscode.Range(line, from, line, character + mostAround));
    const at = character - from;
    const named = idsInText(text).filter(({ start, end }) => start <= at && at <= end);
    const [found] = await storedIds(named, reader, token);
    const stored = found && (await recordOf(found, reader));
    if (!stored) return undefined;
    const related = await relatedTo(stored, reader);
    const range = new vscode.Range(line, from + found.start, line, from + found.end);
    const markdown = new vscode.MarkdownString();
    appendTable(markdown, relatedColumns(), relatedRows(related, this.context.display.latest()));
    // VS Code shows the link of the document below the hover.
    if (!hasLinks(document)) appendShowRow(markdown, found);
    return new vscode.Hover(markdown, range);
  }
}

function appendShowRow(markdown: vscode.MarkdownString, { id, place }: StoredId): void {
  const title = vscode.l10n.t('Show Row');
  appendLinks(markdown, [{ title, command: commands.findId, argument: { id, place } }]);
}
