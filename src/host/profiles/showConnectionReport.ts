import * as vscode from 'vscode';
import { connectionTarget } from './connectionTarget.ts';
import type { ProfileContext } from './openProfile.ts';
import { pickProfile } from './profileQuestions.ts';

/** Shows what is known about the connection of the open profile, else of one to pick. Sends nothing. */
export async function showConnectionReport({ connection, reports }: ProfileContext): Promise<void> {
  const { profileName } = connection;
  const title = vscode.l10n.t('Show Connection Report');
  const name = profileName ?? (await pickProfile(title, profileName))?.name;
  if (name !== undefined) reports.show((await connectionTarget(connection, name)).profile);
}
