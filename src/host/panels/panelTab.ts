import * as vscode from 'vscode';
import type { TableFilters, TableName } from '../../protocol/table.ts';
import { panels } from '../contributions.ts';
import { untrustedText } from '../text/messageText.ts';
import type { TableDefinition } from './tableDefinition.ts';

/** Which panel it is; it stays the same while the user changes the filters. */
export type PanelIdentity = {
  readonly table: TableName;
  /** The symbol whose rows a command showed; empty for the table's own panel. */
  readonly scope: string;
  /** The filters of its first rows. */
  readonly filters: TableFilters | undefined;
};

/** `Orders · btc_usdt`: the table and the symbol or asset that its rows have. */
export function panelTitle(
  { title, tabTitle = title }: TableDefinition,
  filters: TableFilters | undefined,
): string {
  const subject = filters?.symbol ?? filters?.asset;
  return typeof subject === 'string' ? `${tabTitle} · ${untrustedText(subject, 40)}` : tabTitle;
}

/** The environment, by its shape and colour; a line without an account. */
export function environmentIcon(extensionUri: vscode.Uri, environment: string): vscode.Uri {
  const name = environment === '' ? 'closed' : environment.toLowerCase();
  return vscode.Uri.joinPath(extensionUri, 'media', 'panel', `${name}.svg`);
}

/**
 * After a reload, VS Code restores a hidden panel only when the user selects its tab, and an extension
 * cannot restore it. A new panel replaces such a tab of the same title.
 */
export function tabsTitled(title: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input, label }) =>
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(panels.table) &&
        label === title,
    );
}
