import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { confirm } from '../shared/confirm.ts';
import { commands } from '../shared/contributions.ts';
import { untrustedText } from '../text/messageText.ts';
import { readImport, type ImportedProfile } from './importFile.ts';
import { quickPickLabel, profileItem } from './profileQuestions.ts';
import { findProfile, writeProfiles } from './profileSettings.ts';

/**
 * Imports the selected profiles of a JSON file. Replacing a profile of the same name needs confirmation.
 * Credentials are asked for when a profile is opened.
 */
export async function importProfiles(display: Display): Promise<void> {
  const file = await pickFile();
  if (!file) return;
  const found = readImport(fileName(file), await readBytes(file));
  const chosen = await pickProfiles(found, fileName(file));
  if (!chosen) return;
  const good = chosen.filter(({ entry }) => entry.kind === 'good');
  const clashes = good.filter(({ entry }) => findProfile(entry.name));
  if (clashes.length > 0 && !(await confirmReplace(clashes, display))) return;
  if (good.length > 0)
    await writeProfiles(Object.fromEntries(good.map(({ entry, raw }) => [entry.name, raw])));
  void reportImport(good);
}

async function pickFile(): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import Profiles'),
    openLabel: vscode.l10n.t('Import'),
    filters: {
      [vscode.l10n.t('Profiles as JSON')]: ['json'],
      [vscode.l10n.t('All files')]: ['*'],
    },
  });
  return picked?.[0];
}

async function readBytes(file: vscode.Uri): Promise<Uint8Array> {
  try {
    return await vscode.workspace.fs.readFile(file);
  } catch (cause) {
    const message = vscode.l10n.t(
      '“{0}” cannot be read. Choose another file.',
      untrustedText(fileName(file), 80),
    );
    throw new UserFacingError(message, { cause });
  }
}

type Choice = vscode.QuickPickItem & { readonly profile?: ImportedProfile };

/** The selected profiles; undefined if the user cancels. New profiles are preselected. */
async function pickProfiles(
  found: readonly ImportedProfile[],
  name: string,
): Promise<readonly ImportedProfile[] | undefined> {
  const { t } = vscode.l10n;
  const isNew = ({ entry }: ImportedProfile): boolean => !findProfile(entry.name);
  const good = found.filter(({ entry }) => entry.kind === 'good');
  const bad = found.filter(({ entry }) => entry.kind === 'bad');
  const existing = good.filter((one) => !isNew(one));
  const choices = [
    ...group(t('new'), good.filter(isNew), true),
    ...group(t('replace existing'), existing),
    ...group(t('invalid'), bad),
  ];
  const picked = await vscode.window.showQuickPick<Choice>(choices, {
    title: t('Import Profiles from “{0}”', quickPickLabel(name, 80)),
    placeHolder: t('Select the profiles to import'),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return picked?.flatMap(({ profile }) => profile ?? []);
}

function group(label: string, profiles: readonly ImportedProfile[], picked = false): Choice[] {
  if (profiles.length === 0) return [];
  const heading = { label, kind: vscode.QuickPickItemKind.Separator };
  const choices = profiles.map((profile) => ({ ...profileItem(profile.entry), picked, profile }));
  return [heading, ...choices];
}

/** Shows both versions: a known name must not hide another host or a lifted read-only flag. */
function confirmReplace(clashes: readonly ImportedProfile[], display: Display): Promise<boolean> {
  const { t } = vscode.l10n;
  const lines = clashes.flatMap(({ entry }) => {
    const own = findProfile(entry.name) ?? entry;
    return [
      untrustedText(`“${entry.name}”`),
      t('now: {0}', profileItem(own).description ?? ''),
      t('after import: {0}', profileItem(entry).description ?? ''),
    ];
  });
  const detail = [
    ...lines,
    '',
    t('Stored credentials stay bound to the host that they were entered for.'),
  ].join('\n');
  const message =
    clashes.length === 1
      ? t('Replace your profile of the same name?')
      : t('Replace {0} of your profiles of the same names?', display.count(clashes.length));
  return confirm(message, detail, t('Replace'));
}

async function reportImport(imported: readonly ImportedProfile[]): Promise<void> {
  const { t } = vscode.l10n;
  if (imported.length === 0) {
    void vscode.window.showInformationMessage(t('Nothing was imported.'));
    return;
  }
  const names = untrustedText(imported.map(({ entry }) => `“${entry.name}”`).join(', '), 300);
  const open = t('Switch Profile');
  const chosen = await vscode.window.showInformationMessage(
    t('Imported: {0}. Credentials are asked for when a profile is opened.', names),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand(commands.switchProfile);
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
