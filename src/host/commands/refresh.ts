import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import { views } from '../contributions.ts';
import type { Accounts } from '../profiles/accounts.ts';

/**
 * Reads the account now, or tries again to open one that could not be opened. What the exchange does
 * is said where the figures stand, by the views and the status bar.
 */
export async function refresh(active: ActiveAccount, accounts: Accounts): Promise<void> {
  const { state } = active;
  const session = await (state.kind === 'failed' ? accounts.open(state.name) : active.session());
  await vscode.window.withProgress({ location: { viewId: views.positions } }, async () => {
    try {
      await session.refresher.refresh();
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
    }
  });
}
