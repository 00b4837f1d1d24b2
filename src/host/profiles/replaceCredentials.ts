import * as vscode from 'vscode';
import type { Profile } from '../../account/profile.ts';
import { credentialFields } from '../../exchange/auth/recipes.ts';
import { quoted } from '../words.ts';
import { enterCredentials } from './enterCredentials.ts';
import type { ProfileDesk } from './profileDesk.ts';

/** Asks for the credentials of a profile, and opens it anew if it is this window's. */
export async function replaceCredentials(
  { accounts, store }: ProfileDesk,
  profile: Profile,
): Promise<void> {
  const name = quoted(profile.name);
  if (credentialFields(profile.auth).length === 0) {
    const sentence = vscode.l10n.t('“{0}” needs no credentials: its scheme is none.', name);
    void vscode.window.showInformationMessage(sentence);
    return;
  }
  const outcome = await enterCredentials(profile, store);
  if (!outcome) return;
  if (accounts.wantedName === profile.name) await accounts.open(profile.name);
  else if (outcome === 'kept')
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The credentials of “{0}” are stored.', name),
    );
}
