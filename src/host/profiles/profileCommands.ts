import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import type { FeatureContext } from '../feature/context.ts';
import { commands, views } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import type { AccountConnection } from './accountConnection.ts';
import { addProfile } from './addProfile.ts';
import { editProfile, explainReadOnly, removeProfile } from './editProfile.ts';
import { importProfiles } from './importProfiles.ts';
import {
  findNewlyMissingCredentials,
  offerToReenterCredentials,
  setCredentials,
  switchProfile,
  tryPractice,
  type ProfileContext,
} from './openProfile.ts';
import { showConnectionReport, testConnection } from './testConnection.ts';

type ProfileNeeds = Pick<ProfileContext, 'reports' | 'exports' | 'profileLedgers'> & {
  /** Takes no focus. */
  readonly showOverview: () => void;
};

/** The profiles, and which of them is open. */
export function registerProfiles(
  { active, display, log }: FeatureContext,
  connection: AccountConnection,
  { showOverview, ...needs }: ProfileNeeds,
) {
  const profiles: ProfileContext = { ...needs, connection, display };
  return {
    restore: async (): Promise<void> => {
      await connection.restore();
      const missing = await findNewlyMissingCredentials(connection.credentialStore);
      const offer = offerToReenterCredentials(profiles, missing);
      logRejection(log, 'entering missing credentials', offer);
    },
    commands: {
      [commands.tryPractice]: async () => {
        const opened = tryPractice(active, connection);
        // At once: it must not come in front of what is opened next.
        showOverview();
        await opened;
      },
      [commands.refresh]: () => refreshAccount(active, connection),
      [commands.addProfile]: () => addProfile(profiles),
      [commands.importProfiles]: () => importProfiles(display.current),
      [commands.editProfile]: () => editProfile(profiles),
      [commands.explainReadOnly]: () => explainReadOnly(active),
      [commands.removeProfile]: () => removeProfile(profiles),
      [commands.switchProfile]: () => switchProfile(profiles),
      [commands.setCredentials]: () => setCredentials(profiles),
      [commands.testConnection]: (name: unknown) => testConnection(profiles, name),
      [commands.showConnectionReport]: () => showConnectionReport(profiles),
    },
  };
}

/**
 * Reads the account now, or retries opening one that failed. A failure of the exchange is shown by the
 * views and the status bar.
 */
async function refreshAccount(active: ActiveAccount, connection: AccountConnection): Promise<void> {
  const { state } = active;
  const session = await (state.kind === 'failed' ? connection.open(state.name) : active.session());
  await vscode.window.withProgress({ location: { viewId: views.positions } }, async () => {
    try {
      await session.refresh();
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
    }
  });
}
