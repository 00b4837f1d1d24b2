import * as vscode from 'vscode';
import { cleanText } from '../base/cleanText.ts';

/** Names and values as a hover: server strings are text in it, whatever they contain. */
export function fieldsMarkdown(
  title: string,
  fields: readonly (readonly [name: string, value: string])[],
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendText(cleanText(title, 300));
  for (const [name, value] of fields) {
    markdown.appendMarkdown('\n\n');
    markdown.appendText(`${name}: ${cleanText(value, 500)}`);
  }
  return markdown;
}
