import type * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { hoverTable } from '../text/hoverTable.ts';
import { asOfText } from '../text/messageText.ts';
import type { AccountViewDefinition, RenderContext } from './accountViews.ts';
import { maxLabelLength, type RowNode } from './treeRow.ts';

/** Names a row in the link of a hover, which carries no object. */
export type RowReference = { readonly view: string; readonly row: string };

export function isRowReference(argument: object): argument is RowReference {
  return 'view' in argument && 'row' in argument;
}

/** The hover of a row: its figures with every digit, when they were read, and links about it. */
export function rowHover(
  { row, id }: RowNode,
  view: AccountViewDefinition,
  { session, snapshot, display }: RenderContext,
): vscode.MarkdownString {
  const { staleAgeMs } = session.staleness;
  const argument: RowReference = { view: view.id, row: id };
  return hoverTable({
    heading: [cleanText(row.label, maxLabelLength), row.hoverHeading],
    rows: [...row.hoverRows, ...(view.extraHoverRows?.(row, session, display) ?? [])],
    time: asOfText(snapshot.asOf, staleAgeMs, display),
    isStale: staleAgeMs !== undefined,
    links: view.links.map(([title, command]) => ({ title, command, argument })),
  });
}
