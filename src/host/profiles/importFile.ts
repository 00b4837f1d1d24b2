import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { untrustedText } from '../text/messageText.ts';
import { parseProfiles, type ProfileEntry } from './parseProfile.ts';
import { newNameProblem } from './profileName.ts';
import { isRecord, type RawProfile } from './profileSettings.ts';

/** Fields whose name looks like a secret but whose value is none. */
const nonSecretFields: ReadonlySet<string> = new Set([
  'keyHeader',
  'passphraseHeader',
  'secretEncoding',
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
export type ImportedProfile = {
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
      l10n.t(
        '“{0}” is larger than 1 MB, so nothing was imported. Choose a file with profiles.',
        file,
      ),
    );
  const profiles = parseFile(file, bytes);
  const secret = findSecret(profiles);
  if (secret !== undefined)
    throw new UserFacingError(
      l10n.t(
        '“{0}” seems to contain a secret at {1}, so nothing was imported. Remove it and enter it with “Margin Desk: Set Credentials”.',
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
      l10n.t('“{0}” is not an object with one field per profile, so nothing was imported.', file),
    );
  return value;
}

/** The message of the parser is not shown: it quotes the file and could contain a secret. */
function parseJson(file: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UserFacingError(l10n.t('“{0}” is not valid JSON, so nothing was imported.', file));
  }
}
