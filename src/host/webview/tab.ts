import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import { accountLabel } from '../text/messageText.ts';

/** The environment, by its shape and colour; a line without an account. */
export function environmentIcon(extensionUri: vscode.Uri, environment: string): vscode.Uri {
  const name = environment === '' ? 'closed' : environment.toLowerCase();
  return vscode.Uri.joinPath(extensionUri, 'media', 'panel', `${name}.svg`);
}

/** The tab of a panel. */
export type PanelTab = {
  readonly title: string;
  /** LIVE, TEST or PRACTICE; empty without an account. */
  readonly environment: string;
};

/** Says whose account a page shows. */
export function accountTab(title: string, { state }: ActiveAccount): PanelTab {
  if (state.kind !== 'open') return { title, environment: '' };
  const { profile } = state.session;
  return {
    title: `${title} · ${accountLabel(profile, 40)}`,
    environment: environmentLabel(profile),
  };
}
