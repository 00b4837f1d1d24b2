import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import type { CommandId } from '../shared/contributions.ts';

/** Longer than any figure that is shown. */
const maxCellLength = 2000;

/** A line of a hover. */
export type HoverRow = readonly [label: string, value: string];

/** A link that runs a command, with an argument that JSON can carry. */
export type HoverLink = {
  readonly title: string;
  readonly command: CommandId;
  readonly argument?: unknown;
};

export type HoverContent = {
  /** Says whose figures these are. */
  readonly heading: HoverRow;
  readonly rows: readonly HoverRow[];
  readonly time: string;
  /** The time comes first: VS Code cuts a long hover at its end. */
  readonly isStale: boolean;
  readonly links: readonly HoverLink[];
};

/** A table of two columns, a time and links. Strings of the server stay plain text. */
export function hoverTable(content: HoverContent): vscode.MarkdownString {
  const { heading, rows, time, isStale, links } = content;
  const markdown = new vscode.MarkdownString();
  if (isStale) appendParagraph(markdown, time);
  appendTable(markdown, heading, rows);
  if (!isStale) appendParagraph(markdown, time);
  appendLinks(markdown, links);
  return markdown;
}

/** Strings of the server stay plain text. */
export function appendTable(
  markdown: vscode.MarkdownString,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  appendRow(markdown, heading);
  markdown.appendMarkdown(`|${' :-- |'.repeat(heading.length)}\n`);
  for (const row of rows) appendRow(markdown, row);
  markdown.appendMarkdown('\n');
}

/** At the end: the hover can run these commands and no others. */
export function appendLinks(markdown: vscode.MarkdownString, links: readonly HoverLink[]): void {
  markdown.appendMarkdown(links.map(linkMarkdown).join(' · '));
  markdown.isTrusted = { enabledCommands: links.map(({ command }) => command) };
}

function appendRow(markdown: vscode.MarkdownString, cells: readonly string[]): void {
  for (const cell of cells) {
    markdown.appendMarkdown('| ');
    appendPlainText(markdown, cell);
    markdown.appendMarkdown(' ');
  }
  markdown.appendMarkdown('|\n');
}

function appendParagraph(markdown: vscode.MarkdownString, text: string): void {
  if (text === '') return;
  appendPlainText(markdown, text);
  markdown.appendMarkdown('\n\n');
}

/** A parenthesis would end the address. */
function linkMarkdown({ title, command, argument }: HoverLink): string {
  if (argument === undefined) return `[${title}](command:${command})`;
  const json = encodeURIComponent(JSON.stringify([argument]));
  return `[${title}](command:${command}?${json.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/**
 * `appendText` makes every space non-breaking, so words are appended one by one. It leaves addresses,
 * which would become links, and the bars of a table, so these characters are written as entities.
 */
function appendPlainText(markdown: vscode.MarkdownString, text: string): void {
  for (const [index, word] of cleanText(text, maxCellLength).split(' ').entries()) {
    if (index > 0) markdown.appendMarkdown(' ');
    for (const part of word.split(/(?=[:.@<&|])|(?<=[:.@<&|])/))
      if (/^[:.@<&|]$/.test(part)) markdown.appendMarkdown(`&#${part.charCodeAt(0)};`);
      else markdown.appendText(part);
  }
}
