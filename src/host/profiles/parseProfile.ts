import * as v from 'valibot';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { cleanText, escapeInvisible, invisibleCharacterIn } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { localized } from '../text/messageText.ts';
import { profileSchema, schemeOf } from './profileSchema.ts';
import { t } from '../shared/translate.ts';

/** A profile of the settings, or why it is invalid. */
export type ProfileEntry =
  | { readonly kind: 'good'; readonly name: string; readonly profile: Profile }
  | { readonly kind: 'bad'; readonly name: string; readonly problem: string };

/** The profile of an entry. Throws a UserFacingError if it is invalid. */
export function validProfile(entry: ProfileEntry): Profile {
  if (entry.kind === 'good') return entry.profile;
  throw new UserFacingError(entry.problem, { suggestedAction: 'editProfile' });
}

type NameCheck = (name: string) => string | undefined;

/** Parses all profiles: an invalid one disables only itself. */
export function parseProfiles(
  setting: unknown,
  problemOf: NameCheck = nameProblem,
): readonly ProfileEntry[] {
  if (typeof setting === 'object' && setting !== null && !Array.isArray(setting))
    return withOneLimit(
      Object.entries(setting).map(([name, entry]) => parseEntry(name, entry, problemOf)),
    );
  const problem = t(
    'The profiles must be an object with one field per profile. Fix it, or write {0}.',
    '{}',
  );
  return [{ kind: 'bad', name: '{}', problem }];
}

/** An exchange counts in one way: where profiles of one origin differ, they share one count. */
function withOneLimit(entries: readonly ProfileEntry[]): readonly ProfileEntry[] {
  const shared = new Set(
    entries.map((entry) =>
      entry.kind === 'good' && entry.profile.limitPer === 'origin' ? originOf(entry.profile) : '',
    ),
  );
  return entries.map((entry) =>
    entry.kind === 'good' && shared.has(originOf(entry.profile))
      ? { ...entry, profile: { ...entry.profile, limitPer: 'origin' } }
      : entry,
  );
}

function parseEntry(name: string, entry: unknown, problemOf: NameCheck): ProfileEntry {
  try {
    return { kind: 'good', name, profile: parseProfile(name, entry, problemOf) };
  } catch (error) {
    if (!(error instanceof UserFacingError)) throw error;
    return { kind: 'bad', name, problem: localized(error.userMessage) };
  }
}

/**
 * Parses one profile. Throws a UserFacingError that names the profile, the field and how to fix it, but
 * not the value: it could be a key in the wrong place.
 */
export function parseProfile(
  name: string,
  entry: unknown,
  problemOf: NameCheck = nameProblem,
): Profile {
  const problem = problemOf(name);
  if (problem !== undefined) throw problemIn(name, '', problem);
  const parsed = v.safeParse(profileSchema, entry);
  if (!parsed.success) throw problemIn(name, fieldOf(parsed.issues[0]), parsed.issues[0].message);
  const { auth, ...others } = parsed.output;
  return { name, ...others, auth: schemeOf(auth), sign: auth.sign };
}

function fieldOf({ path }: v.BaseIssue<unknown>): string {
  return (path ?? []).map(({ key }) => String(key)).join('.');
}

function problemIn(name: string, field: string, advice: string): UserFacingError {
  const profile = cleanText(escapeInvisible(name), 60);
  const message =
    field === ''
      ? t('Profile “{0}”: {1}', profile, advice)
      : t('Profile “{0}”, {1}: {2}', profile, cleanText(field, 60), advice);
  return new UserFacingError(message, { suggestedAction: 'editProfile' });
}

/** The reserved name of the built-in profile. It is never written to settings, nor its key anywhere. */
export const practiceName = 'Practice';

const maxNameLength = 40;

/** What is wrong with the name of a new profile: it must not look like another. */
export function newNameProblem(name: string): string | undefined {
  const character = invisibleCharacterIn(name);
  if (character === undefined) return nameProblem(name);
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return t(
    'The name must not contain invisible characters, such as U+{0}: remove them.',
    code ?? '',
  );
}

/** What is wrong with the name of a stored profile; undefined if it is valid. */
export function nameProblem(name: string): string | undefined {
  const { length } = Array.from(name);
  if (length < 1 || length > maxNameLength)
    return t('The name must have 1 to {0} characters.', maxNameLength);
  if (name.trim() !== name || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    return t('The name must not start or end with a space or contain invisible characters.');
  if (looksLikePractice(name))
    return t('The name is reserved for the built-in {0} profile. Choose another.', practiceName);
  return undefined;
}

/** In any spelling: a live account must not look like the practice exchange. */
function looksLikePractice(name: string): boolean {
  return name.normalize('NFKC').toLowerCase() === practiceName.toLowerCase();
}

/** A name for a new profile: the short name of the exchange’s host, with a number if that name is taken. */
export function proposeName(baseUrl: string, taken: readonly string[]): string {
  const host = new URL(baseUrl).hostname.replace(/^(?:api|www)\.(?=.+\.)/, '');
  const free = (name: string): boolean => !newNameProblem(name) && !taken.includes(name);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const name = `${host.slice(0, maxNameLength - suffix.length)}${suffix}`;
    if (free(name)) return name;
  }
}
