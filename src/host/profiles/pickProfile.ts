import * as vscode from 'vscode';
import { environmentLabel } from '../../account/profile.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { quoted } from '../words.ts';
import type { ProfileEntry } from './parseProfile.ts';
import { profileEntries } from './profileSettings.ts';

export type ProfileItem = vscode.QuickPickItem & { readonly name: string };

/** How a profile stands in a list: where it leads to, or why it cannot be used. */
export function profileItem(entry: ProfileEntry, openName?: string): ProfileItem {
  const item = { name: entry.name, label: plainLabel(entry.name) };
  if (entry.kind === 'bad') {
    const description = vscode.l10n.t('cannot be used');
    return { ...item, description, detail: plainLabel(entry.problem, 400) };
  }
  const { profile } = entry;
  const words = [environmentLabel(profile), new URL(profile.baseUrl).host];
  if (profile.readOnly) words.push(vscode.l10n.t('read-only'));
  if (entry.name === openName) words.push(vscode.l10n.t('open in this window'));
  return { ...item, description: words.join(' · ') };
}

/** Lets the person choose one of their profiles; undefined when they do not. Rejects where there is none. */
export async function pickProfile(
  title: string,
  openName: string | undefined,
): Promise<ProfileEntry | undefined> {
  const entries = profileEntries();
  if (entries.length === 0)
    throw new SentenceError(vscode.l10n.t('There is no profile yet: add one first.'), {
      cure: 'addProfile',
    });
  const items = entries.map((entry) => profileItem(entry, openName));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return entries.find(({ name }) => name === picked?.name);
}

/** Text for a list, which would draw `$(name)` as an icon. */
export function plainLabel(text: string, maxLength?: number): string {
  return quoted(text, maxLength).replaceAll('$(', '$ (');
}
