import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import { views } from '../contributions.ts';

/** Reads the account now. What fails is said where the figures stand, by the view and the status bar. */
export async function refresh(active: ActiveAccount): Promise<void> {
  const { refresher } = await active.session();
  await vscode.window.withProgress({ location: { viewId: views.positions } }, async () => {
    try {
      await refresher.refresh();
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
    }
  });
}
