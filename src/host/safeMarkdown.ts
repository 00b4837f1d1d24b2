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

/** `appendText` makes every space one that does not break; word by word, lines break between words. */
function appendWords(markdown: vscode.MarkdownString, text: string): void {
  for (const [index, word] of cleanText(text, 500).split(' ').entries()) {
    if (index > 0) markdown.appendMarkdown(' ');
    markdown.appendText(word);
  }
}
