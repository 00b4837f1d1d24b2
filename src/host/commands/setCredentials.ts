import * as vscode from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import type { ProfileEntry } from '../profiles/parseProfile.ts';
import { pickProfile } from '../profiles/pickProfile.ts';
import type { ProfileDesk } from '../profiles/profileDesk.ts';
import { findProfile } from '../profiles/profileSettings.ts';
import { replaceCredentials } from '../profiles/replaceCredentials.ts';

/** Asks for the credentials of this window's profile, else of one to choose. */
export async function setCredentials(desk: ProfileDesk): Promise<void> {
  const entry = await targetOf(desk.accounts.wantedName);
  if (!entry) return;
  if (entry.kind === 'bad') throw new SentenceError(entry.problem, { cure: 'editProfile' });
  await replaceCredentials(desk, entry.profile);
}

async function targetOf(wantedName: string | undefined): Promise<ProfileEntry | undefined> {
  const wanted = wantedName === undefined ? undefined : findProfile(wantedName);
  return wanted ?? (await pickProfile(vscode.l10n.t('Set Credentials'), wantedName));
}
