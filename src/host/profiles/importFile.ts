import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { quoted } from '../words.ts';
import { secretIn } from './importSecrets.ts';
import { parseProfiles, type ProfileEntry } from './parseProfile.ts';
import type { WrittenProfile } from './profileSettings.ts';

/** The largest file that is read; a profile has some hundred bytes. */
export const maxImportBytes = 1024 * 1024;

/** One profile of an import file: as it is written there, and as it is read or why it cannot be. */
export type ImportedProfile = {
  readonly entry: ProfileEntry;
  readonly written: WrittenProfile;
};

/**
 * Reads an import file: JSON of the shape of the setting `marginDesk.profiles`. Throws a
 * SentenceError that names the file where it is damaged, holds no profile, or has anything that looks
 * like a secret: that field is named, its value never. What is wrong with one profile disables that one.
 */
export function readImport(fileName: string, bytes: Uint8Array): readonly ImportedProfile[] {
  const file = quoted(fileName, 80);
  if (bytes.length > maxImportBytes)
    throw new SentenceError(
      l10n.t('“{0}” is larger than 1 MB: nothing was imported; choose a file of profiles.', file),
    );
  const profiles = parseFile(file, bytes);
  const secret = secretIn(profiles);
  if (secret !== undefined)
    throw new SentenceError(
      l10n.t(
        '“{0}” has what looks like a secret at {1}: nothing was imported; take it out, and enter it by “Margin Desk: Set Credentials”.',
        file,
        cleanText(secret, 120),
      ),
    );
  return parseProfiles(profiles).map((entry) => {
    const written = profiles[entry.name];
    return { entry, written: isObject(written) ? written : {} };
  });
}

function parseFile(file: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value = parseJson(file, bytes);
  if (!isObject(value) || Object.keys(value).length === 0)
    throw new SentenceError(
      l10n.t('“{0}” is no object with a field for each profile: nothing was imported.', file),
    );
  return value;
}

/** What the parser says quotes the file, and may quote a secret: it is not told. */
function parseJson(file: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new SentenceError(
      l10n.t(
        '“{0}” is damaged, or no JSON: nothing was imported, and the file is as it was.',
        file,
      ),
    );
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
