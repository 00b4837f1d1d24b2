import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { defaultAuthFields, defaultSigningSpec } from '../../exchange/auth/scheme.ts';
import { confirm } from '../shared/confirm.ts';
import { commands } from '../shared/contributions.ts';
import { untrustedText } from '../text/messageText.ts';
import { parseProfiles, type ProfileEntry, newNameProblem } from './parseProfile.ts';
import {
  quickPickLabel,
  profileItem,
  findProfile,
  writeProfiles,
  isRecord,
  type RawProfile,
} from './profileSettings.ts';
import { t } from '../shared/translate.ts';

/** Fields of a profile, whose name may look like a secret but whose value is none. */
const nonSecretFields: ReadonlySet<string> = new Set([
  ...Object.keys(defaultAuthFields),
  ...Object.keys(defaultSigningSpec),
]);

const secretName =
  /key|secret|token|passw|pwd|passphrase|credential|mnemonic|authorization|cookie|signature$/i;
const pem = '-----BEGIN ';
const bearer = /\bbearer\s+[^\s{]/i;
const userInUrl = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i;

/** Shorter texts, such as a key version, are not secrets. */
const minSecretLength = 8;

/** Deeper than any valid profile. */
const maxDepth = 20;

/**
 * The path of the first field that looks like a secret by its name or its value, such as a PEM, a bearer
 * token or a user in a URL. The path reveals no part of the value.
 */
function findSecret(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value !== 'object' || value === null)
    return isSecret(value, path) ? path.join('.') : undefined;
  if (path.length > maxDepth) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes(pem)) return [...path, '…'].join('.');
    const found = findSecret(inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first part of a path is the name of a profile and can be anything. */
function isSecret(value: unknown, [, ...fields]: readonly string[]): boolean {
  if (typeof value === 'string' && hasSecretForm(value)) return true;
  const [last = '', parent] = fields.toReversed();
  if (parent === 'headers' || parent === 'query') return isLiteralSecret(last, value);
  return fields.some((name) => secretName.test(name) && !nonSecretFields.has(name)) && value !== '';
}

function hasSecretForm(value: string): boolean {
  return value.includes(pem) || userInUrl.test(value) || bearer.test(value);
}

/** Headers and parameters are named after their content: the placeholder `{apiKey}` is not a secret. */
function isLiteralSecret(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('{')) return false;
  return secretName.test(name) && value.length >= minSecretLength;
}

/** A profile has a few hundred bytes. */
export const maxImportBytes = 1024 * 1024;

/** A profile of an import file: as written, and parsed or with its problem. */
type ImportedProfile = {
  readonly entry: ProfileEntry;
  readonly raw: RawProfile;
};

/**
 * Reads an import file: JSON like the setting `marginDesk.profiles`. Throws a UserFacingError if the file
 * is invalid, has no profile or contains something that looks like a secret; it names the field, never
 * the value. An invalid profile disables only itself.
 */
export function readImport(fileName: string, bytes: Uint8Array): readonly ImportedProfile[] {
  const file = untrustedText(fileName, 80);
  if (bytes.length > maxImportBytes)
    throw new UserFacingError(
      t('“{0}” is larger than 1 MB, so nothing was imported. Choose a file with profiles.', file),
    );
  const profiles = parseFile(file, bytes);
  const secret = findSecret(profiles);
  if (secret !== undefined)
    throw new UserFacingError(
      t(
        '“{0}” seems to contain a secret at {1}, so nothing was imported. Remove it and enter it with “Margin Desk: Edit Profile…”.',
        file,
        cleanText(secret, 120),
      ),
    );
  return parseProfiles(profiles, newNameProblem).map((entry) => {
    const raw = profiles[entry.name];
    return { entry, raw: isRecord(raw) ? raw : {} };
  });
}

function parseFile(file: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value = parseJson(file, bytes);
  if (!isRecord(value) || Object.keys(value).length === 0)
    throw new UserFacingError(
      t('“{0}” is not an object with one field per profile, so nothing was imported.', file),
    );
  return value;
}

/** The message of the parser is not shown: it quotes the file and could contain a secret. */
function parseJson(file: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UserFacingError(t('“{0}” is not valid JSON, so nothing was imported.', file));
  }
}

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
    title: t('Import Profiles'),
    openLabel: t('Import'),
    filters: {
      [t('Profiles as JSON')]: ['json'],
      [t('All files')]: ['*'],
    },
  });
  return picked?.[0];
}

async function readBytes(file: vscode.Uri): Promise<Uint8Array> {
  try {
    return await vscode.workspace.fs.readFile(file);
  } catch (cause) {
    const message = t(
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
  if (imported.length === 0) {
    void vscode.window.showInformationMessage(t('Nothing was imported.'));
    return;
  }
  const names = untrustedText(imported.map(({ entry }) => `“${entry.name}”`).join(', '), 300);
  const open = t('Switch Profile…');
  const chosen = await vscode.window.showInformationMessage(
    t('Imported: {0}. Credentials are asked for when a profile is opened.', names),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand(commands.switchProfile);
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
