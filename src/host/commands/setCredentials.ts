import * as vscode from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import { credentialFields } from '../../exchange/auth/recipes.ts';
import { enterCredentials } from '../profiles/enterCredentials.ts';
import type { ProfileEntry } from '../profiles/parseProfile.ts';
import { pickProfile } from '../profiles/pickProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { findProfile } from '../profiles/profileSettings.ts';
import { quoted } from '../words.ts';

/** Asks for the credentials of this window's profile, else of one to choose, and opens it anew if it is this window's. */
export async function setCredentials({ accounts, store }: ProfileDesk): Promise<void> {
  const entry = await targetOf(accounts.wantedName);
  if (!entry) return;
  if (entry.kind === 'bad') throw new SentenceError(entry.problem, { cure: 'editProfile' });
  const { name, profile } = entry;
  if (credentialFields(profile.auth).length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('“{0}” needs no credentials: its scheme is none.', quoted(name)),
    );
    return;
  }
  const entered = await enterCredentials(profile, store);
  if (!entered) return;
  if (accounts.wantedName === name) await accounts.open(name, entered);
  else
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The credentials of “{0}” are stored.', quoted(name)),
    );
}

async function targetOf(wantedName: string | undefined): Promise<ProfileEntry | undefined> {
  const wanted = wantedName === undefined ? undefined : findProfile(wantedName);
  return wanted ?? (await pickProfile(vscode.l10n.t('Set Credentials'), wantedName));
}
