import * as vscode from 'vscode';
import { cleanText } from '../base/cleanText.ts';

/** Names and values as a hover: server strings are text in it, whatever they contain. */
export function fieldsMarkdown(
  title: string,
  fields: readonly (readonly [name: string, value: string])[],
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  appendWords(markdown, title);
  for (const [name, value] of fields) {
    markdown.appendMarkdown('\n\n');
    appendWords(markdown, `${name}: ${value}`);
  }
  return markdown;
}

/**
 * `appendText` leaves two things to do: it makes every space one that does not break, so it gets the
 * words one by one; and an address would become a link, so what makes one, or a tag, is written as entities.
 */
function appendWords(markdown: vscode.MarkdownString, text: string): void {
  for (const [index, word] of cleanText(text, 500).split(' ').entries()) {
    if (index > 0) markdown.appendMarkdown(' ');
    for (const part of word.split(/(?=[:.@<&])|(?<=[:.@<&])/))
      if (/^[:.@<&]$/.test(part)) markdown.appendMarkdown(`&#${part.charCodeAt(0)};`);
      else markdown.appendText(part);
  }
}
