import * as v from 'valibot';
import { l10n } from 'vscode';
import type { Profile } from '../../account/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { parseBaseUrl } from '../../exchange/baseUrl.ts';
import { inWords } from '../words.ts';
import { schemeOf } from './authSchema.ts';
import { nameProblem } from './profileName.ts';
import { profileSchema } from './profileSchema.ts';

/** A profile as the settings have it, or the sentence that says why it cannot be used. */
export type ProfileEntry =
  | { readonly kind: 'good'; readonly name: string; readonly profile: Profile }
  | { readonly kind: 'bad'; readonly name: string; readonly problem: string };

/** Reads the setting of all profiles: an error in one of them disables that one only. */
export function parseProfiles(setting: unknown): readonly ProfileEntry[] {
  if (typeof setting === 'object' && setting !== null && !Array.isArray(setting))
    return Object.entries(setting).map(([name, entry]) => parseEntry(name, entry));
  const problem = l10n.t(
    'The profiles must be an object with one field a profile: write {0} or mend it.',
    '{}',
  );
  return [{ kind: 'bad', name: '{}', problem }];
}

function parseEntry(name: string, entry: unknown): ProfileEntry {
  try {
    return { kind: 'good', name, profile: parseProfile(name, entry) };
  } catch (error) {
    if (!(error instanceof SentenceError)) throw error;
    return { kind: 'bad', name, problem: inWords(error.sentence) };
  }
}

/**
 * Reads one profile of the settings. Throws a SentenceError that names the profile, the field and
 * the cure, and tells nothing of the value: it may be a key in the wrong place.
 */
export function parseProfile(name: string, entry: unknown): Profile {
  const problem = nameProblem(name);
  if (problem !== undefined) throw problemIn(name, '', problem);
  const parsed = v.safeParse(profileSchema, entry);
  if (!parsed.success) throw problemIn(name, fieldOf(parsed.issues[0]), parsed.issues[0].message);
  const { baseUrl, auth, ...others } = parsed.output;
  return {
    name,
    ...others,
    baseUrl: checkedBaseUrl(name, baseUrl),
    auth: schemeOf(auth),
    sign: auth.sign,
  };
}

function checkedBaseUrl(name: string, text: string): string {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    throw error instanceof SentenceError
      ? problemIn(name, 'baseUrl', inWords(error.sentence))
      : error;
  }
}

function fieldOf({ path }: v.BaseIssue<unknown>): string {
  return (path ?? []).map(({ key }) => String(key)).join('.');
}

function problemIn(name: string, field: string, cure: string): SentenceError {
  const profile = cleanText(name, 60);
  const sentence =
    field === ''
      ? l10n.t('Profile “{0}”: {1}', profile, cure)
      : l10n.t('Profile “{0}”, {1}: {2}', profile, cleanText(field, 60), cure);
  return new SentenceError(sentence, { cure: 'editProfile' });
}
