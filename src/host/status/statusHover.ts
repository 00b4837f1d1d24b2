import * as vscode from 'vscode';
import { commands, type CommandId } from '../contributions.ts';
import { fieldsMarkdown } from '../safeMarkdown.ts';
import type { StatusWords } from './statusWords.ts';

/** The status item's hover: its fields as plain text, and below them the only links that it can follow. */
export function statusHover(
  { title, fields }: StatusWords,
  isOpen: boolean,
): vscode.MarkdownString {
  const { t } = vscode.l10n;
  const links: readonly (readonly [words: string, command: CommandId])[] = [
    [t('Refresh'), commands.refresh],
    ...(isOpen ? [[t('Cancel all open orders'), commands.cancelAllOrders] as const] : []),
    [t('Switch profile'), commands.switchProfile],
  ];
  const markdown = fieldsMarkdown(title, fields);
  const written = links.map(([words, command]) => `[${words}](command:${command})`);
  markdown.appendMarkdown(`\n\n${written.join(' · ')}`);
  markdown.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  return markdown;
}
