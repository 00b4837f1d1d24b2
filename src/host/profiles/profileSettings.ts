import * as vscode from 'vscode';
import { type Environment, environmentLabel } from '../../account/session/profile.ts';
import { escapeInvisible } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { settingValue } from '../settings/settingValues.ts';
import { userSetting } from '../settings/userSetting.ts';
import { writeSetting } from '../settings/settings.ts';
import { untrustedText, withoutIcons } from '../text/messageText.ts';
import { parseProfiles, type ProfileEntry, practiceName } from './parseProfile.ts';
import { t } from '../shared/translate.ts';

/** One profile as it is in the settings, not validated. */
export type RawProfile = Readonly<Record<string, unknown>>;

const profilesKey = 'marginDesk.profiles';

/** The user's profiles in the order of the settings. */
export function profileEntries(): readonly ProfileEntry[] {
  return parseProfiles(userSetting(profilesKey));
}

export function findProfile(name: string): ProfileEntry | undefined {
  return profileEntries().find((entry) => entry.name === name);
}

/** A profile as it is in the settings; undefined if there is none or it is not an object. */
export function rawProfile(name: string): RawProfile | undefined {
  const profiles = rawProfiles();
  const written = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return isRecord(written) ? written : undefined;
}

/** Adds a profile, or replaces the one named `earlierName` in its place. */
export async function writeProfile(
  name: string,
  written: RawProfile,
  earlierName = name,
): Promise<void> {
  const entries = Object.entries(rawProfiles());
  const place = entries.findIndex(([at]) => at === earlierName);
  entries.splice(place < 0 ? entries.length : place, place < 0 ? 0 : 1, [name, written]);
  await writeSetting(profilesKey, Object.fromEntries(entries));
}

/** Adds or replaces several profiles at once. */
export async function writeProfiles(profiles: Readonly<Record<string, RawProfile>>): Promise<void> {
  await writeSetting(profilesKey, { ...rawProfiles(), ...profiles });
}

export async function deleteProfileSetting(name: string): Promise<void> {
  const entries = Object.entries(rawProfiles()).filter(([at]) => at !== name);
  const left = entries.length === 0 ? undefined : Object.fromEntries(entries);
  await writeSetting(profilesKey, left);
}

/** Changes the default profile if it is `from`; undefined removes it. */
export async function replaceDefaultProfile(from: string, to: string | undefined): Promise<void> {
  if (settingValue('marginDesk.defaultProfile') === from)
    await writeSetting('marginDesk.defaultProfile', to);
}

function rawProfiles(): Readonly<Record<string, unknown>> {
  const setting = userSetting(profilesKey);
  if (isRecord(setting)) return setting;
  const [entry] = parseProfiles(setting);
  throw new UserFacingError(entry?.kind === 'bad' ? entry.problem : '', {
    suggestedAction: 'editProfile',
  });
}

export function isRecord(value: unknown): value is RawProfile {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The environment of a profile that is not open: live if its settings are invalid. */
export function environmentOfProfile(name: string): Environment {
  if (name === practiceName) return 'practice';
  const entry = findProfile(name);
  return entry?.kind === 'good' ? entry.profile.environment : 'live';
}

/** Opens settings.json and selects the profile, or shows all profiles if it is not there. */
export async function openProfileSettings(name: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: profilesKey },
  });
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.path.endsWith('/settings.json')) selectProfile(editor, name);
}

function selectProfile(editor: vscode.TextEditor, name: string): void {
  const { document } = editor;
  const text = document.getText();
  const written = JSON.stringify(name);
  const at = text.indexOf(written, text.indexOf(JSON.stringify(profilesKey)));
  if (at < 0) return;
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + written.length));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
}

type ProfileItem = vscode.QuickPickItem & { readonly name: string };

/** A profile in a list: its environment and host, or why it is invalid. */
export function profileItem(entry: ProfileEntry, openName?: string): ProfileItem {
  const item = { name: entry.name, label: quickPickLabel(escapeInvisible(entry.name)) };
  if (entry.kind === 'bad') {
    const description = t('invalid');
    return { ...item, description, detail: quickPickLabel(entry.problem, 400) };
  }
  const { profile } = entry;
  const parts = [environmentLabel(profile), new URL(profile.baseUrl).host];
  if (profile.readOnly) parts.push(t('read-only'));
  if (entry.name === openName) parts.push(t('open in this window'));
  return { ...item, description: parts.join(' · ') };
}

/** Lets the user pick a profile; undefined if they cancel. Rejects if there is none. */
export async function pickProfile(
  title: string,
  openName: string | undefined,
): Promise<ProfileEntry | undefined> {
  const entries = profileEntries();
  if (entries.length === 0)
    throw new UserFacingError(t('There are no profiles yet. Add one first.'), {
      suggestedAction: 'addProfile',
    });
  const items = entries.map((entry) => profileItem(entry, openName));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return entries.find(({ name }) => name === picked?.name);
}

export function quickPickLabel(text: string, maxLength?: number): string {
  return withoutIcons(untrustedText(text, maxLength));
}
