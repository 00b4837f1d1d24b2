import type * as vscode from 'vscode';
import { idsInText } from './idsInText.ts';
import { recordLine } from './idText.ts';
import { ifReadable, type IdContext } from './idContext.ts';
import { storedIds, type StoredIdInText } from './storedIds.ts';
import { recordOf, type StoredRecord } from './storedRecords.ts';

type IdLink = vscode.TerminalLink & { readonly stored: StoredRecord };

/** Nobody reads a longer line. */
const mostLinks = 20;

/** The links of a terminal. VS Code asks for those of the line under the mouse. */
export class TerminalIds implements vscode.TerminalLinkProvider<IdLink> {
  private readonly context: IdContext;

  constructor(context: IdContext) {
    this.context = context;
  }

  provideTerminalLinks(
    { line }: Pick<vscode.TerminalLinkContext, 'line'>,
    token: vscode.CancellationToken,
  ): Promise<IdLink[]> {
    return ifReadable(this.context, [], () => this.linksOf(line, token));
  }

  handleTerminalLink({ stored }: IdLink): void {
    this.context.show(stored);
  }

  private async linksOf(line: string, token: vscode.CancellationToken): Promise<IdLink[]> {
    const reader = this.context.ledger.current?.reader;
    if (!reader) return [];
    const found = await storedIds(idsInText(line), reader, token);
    const display = this.context.display.latest();
    const linkOf = async (each: StoredIdInText): Promise<IdLink[]> => {
      const stored = await recordOf(each, reader);
      if (!stored) return [];
      const { start: startIndex, end } = each;
      return [
        { startIndex, length: end - startIndex, tooltip: recordLine(stored, display), stored },
      ];
    };
    return (await Promise.all(found.slice(0, mostLinks).map(linkOf))).flat();
  }
}
