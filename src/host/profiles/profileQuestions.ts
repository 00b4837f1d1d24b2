import * as vscode from 'vscode';
import { environmentLabel } from '../../account/session/profile.ts';
import { escapeInvisible } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { untrustedText, withoutIcons } from '../text/messageText.ts';
import type { ProfileEntry } from './parseProfile.ts';
import { profileEntries } from './profileSettings.ts';

type ProfileItem = vscode.QuickPickItem & { readonly name: string };

/** A profile in a list: its environment and host, or why it is invalid. */
export function profileItem(entry: ProfileEntry, openName?: string): ProfileItem {
  const item = { name: entry.name, label: quickPickLabel(escapeInvisible(entry.name)) };
  if (entry.kind === 'bad') {
    const description = vscode.l10n.t('invalid');
    return { ...item, description, detail: quickPickLabel(entry.problem, 400) };
  }
  const { profile } = entry;
  const parts = [environmentLabel(profile), new URL(profile.baseUrl).host];
  if (profile.readOnly) parts.push(vscode.l10n.t('read-only'));
  if (entry.name === openName) parts.push(vscode.l10n.t('open in this window'));
  return { ...item, description: parts.join(' · ') };
}

/** Lets the user pick a profile; undefined if they cancel. Rejects if there is none. */
export async function pickProfile(
  title: string,
  openName: string | undefined,
): Promise<ProfileEntry | undefined> {
  const entries = profileEntries();
  if (entries.length === 0)
    throw new UserFacingError(vscode.l10n.t('There are no profiles yet. Add one first.'), {
      suggestedAction: 'addProfile',
    });
  const items = entries.map((entry) => profileItem(entry, openName));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return entries.find(({ name }) => name === picked?.name);
}

export function quickPickLabel(text: string, maxLength?: number): string {
  return withoutIcons(untrustedText(text, maxLength));
}
