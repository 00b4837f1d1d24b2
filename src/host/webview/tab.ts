import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import { accountLabel } from '../text/messageText.ts';

/** The tab of a panel. */
export type PanelTab = {
  readonly title: string;
  /** LIVE, TEST or PRACTICE; empty without an account. */
  readonly environment: string;
};

/**
 * The icon is the environment, by its shape and colour; a line without an account. Each assignment is a
 * message to the window.
 */
export function showTab(
  panel: vscode.WebviewPanel,
  { title, environment }: PanelTab,
  extensionUri: vscode.Uri,
): void {
  if (panel.title !== title) panel.title = title;
  const name = environment === '' ? 'closed' : environment.toLowerCase();
  const icon = vscode.Uri.joinPath(extensionUri, 'media', 'panel', `${name}.svg`);
  const { iconPath } = panel;
  const isShown = iconPath instanceof vscode.Uri && iconPath.toString() === icon.toString();
  if (!isShown) panel.iconPath = icon;
}

/** Says whose account a page shows. */
export function accountTab(title: string, { state }: ActiveAccount): PanelTab {
  if (state.kind !== 'open') return { title, environment: '' };
  const { profile } = state.session;
  return {
    title: `${title} · ${accountLabel(profile, 40)}`,
    environment: environmentLabel(profile),
  };
}
