import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { commands } from '../contributions.ts';
import { readImport, type ImportedProfile } from '../profiles/importFile.ts';
import { plainLabel, profileItem } from '../profiles/pickProfile.ts';
import { findProfile, writeProfiles } from '../profiles/profileSettings.ts';
import { quoted } from '../words.ts';

/**
 * Adds the profiles of a JSON file that the person picks, those of them that are ticked; a profile of
 * the same name is replaced after a question. Credentials are asked for when a profile is opened.
 */
export async function importProfiles(display: Display): Promise<void> {
  const file = await pickFile();
  if (!file) return;
  const found = readImport(fileName(file), await readBytes(file));
  const chosen = await pick(found, fileName(file));
  if (!chosen) return;
  const good = chosen.filter(({ entry }) => entry.kind === 'good');
  const clashes = good.filter(({ entry }) => findProfile(entry.name));
  if (clashes.length > 0 && !(await mayReplace(clashes, display))) return;
  if (good.length > 0)
    await writeProfiles(
      Object.fromEntries(good.map(({ entry, written }) => [entry.name, written])),
    );
  void report(good);
}

async function pickFile(): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import Profiles'),
    openLabel: vscode.l10n.t('Read Profiles'),
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
    const sentence = vscode.l10n.t(
      '“{0}” cannot be read: choose another file.',
      quoted(fileName(file), 80),
    );
    throw new SentenceError(sentence, { cause });
  }
}

type Choice = vscode.QuickPickItem & { readonly profile?: ImportedProfile };

/** What the person ticked; undefined when they give up. New profiles are ticked at first. */
async function pick(
  found: readonly ImportedProfile[],
  name: string,
): Promise<readonly ImportedProfile[] | undefined> {
  const { t } = vscode.l10n;
  const isNew = ({ entry }: ImportedProfile): boolean => !findProfile(entry.name);
  const good = found.filter(({ entry }) => entry.kind === 'good');
  const choices = [
    ...group(t('new'), good.filter(isNew), true),
    ...group(
      t('in place of your own'),
      good.filter((one) => !isNew(one)),
      false,
    ),
    ...group(
      t('refused'),
      found.filter(({ entry }) => entry.kind === 'bad'),
      false,
    ),
  ];
  const picked = await vscode.window.showQuickPick<Choice>(choices, {
    title: t('Import Profiles from “{0}”', plainLabel(name, 80)),
    placeHolder: t('Tick what to import; what is refused stays out'),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return picked?.flatMap(({ profile }) => profile ?? []);
}

function group(label: string, profiles: readonly ImportedProfile[], picked: boolean): Choice[] {
  if (profiles.length === 0) return [];
  const heading = { label, kind: vscode.QuickPickItemKind.Separator };
  const choices = profiles.map((profile) => ({ ...profileItem(profile.entry), picked, profile }));
  return [heading, ...choices];
}

/** Shows both of each: another host, or a write that was forbidden, must not slip in by its name. */
async function mayReplace(clashes: readonly ImportedProfile[], display: Display): Promise<boolean> {
  const { t } = vscode.l10n;
  const replace = { title: t('Replace') };
  const lines = clashes.flatMap(({ entry }) => {
    const own = findProfile(entry.name) ?? entry;
    return [
      quoted(`“${entry.name}”`),
      t('now: {0}', profileItem(own).description ?? ''),
      t('then: {0}', profileItem(entry).description ?? ''),
    ];
  });
  const detail = [
    ...lines,
    '',
    t('Credentials stay bound to the host that they were entered for.'),
  ].join('\n');
  const message =
    clashes.length === 1
      ? t('Replace your profile of the same name?')
      : t('Replace {0} of your profiles of the same names?', display.count(clashes.length));
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(message, options, replace)) === replace;
}

async function report(imported: readonly ImportedProfile[]): Promise<void> {
  const { t } = vscode.l10n;
  if (imported.length === 0) {
    void vscode.window.showInformationMessage(t('Nothing was imported.'));
    return;
  }
  const names = quoted(imported.map(({ entry }) => `“${entry.name}”`).join(', '), 300);
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
