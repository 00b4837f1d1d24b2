import * as v from 'valibot';
import { l10n } from 'vscode';
import { limitOwners, originOf, type Profile } from '../../account/session/profile.ts';
import { cleanText, escapeInvisible, invisibleCharacterIn } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { ApiConventions, ConventionName } from '../../exchange/conventions/apiConventions.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import { localized } from '../text/messageText.ts';
import {
  authSchema,
  schemeOf,
  enumField,
  notArray,
  objectAdvice,
  baseUrlAdvice,
  booleanAdvice,
} from './authSchema.ts';

const auto = 'auto';

/** The values that a person can pick. Of numbers and statuses, settings.json takes others. */
export const conventionChoices = {
  firstPage: [0, 1],
  dates: ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'],
  lists: ['repeat', 'comma', 'brackets'],
  maxPageSize: [null, 10, 20, 50, 100, 200, 500, 1000],
  maxRangeDays: [null, 1, 7, 30, 90, 180, 365],
  sort: ['newestFirst', 'oldestFirst', 'none'],
  dateTo: ['inclusive', 'exclusive'],
  overLimitStatuses: [[429, 418], [429], [418], [429, 503]],
} as const satisfies { readonly [Name in ConventionName]: readonly ApiConventions[Name][] };

const maxBound = 100_000;

/** `dialect` of a profile: each entry a value, or `auto` to detect it. */
const apiConventionsSchema = v.pipe(
  notArray(),
  v.strictObject(
    {
      firstPage: v.optional(enumField([auto, ...conventionChoices.firstPage]), auto),
      dates: v.optional(enumField([auto, ...conventionChoices.dates]), auto),
      lists: v.optional(enumField([auto, ...conventionChoices.lists]), auto),
      maxPageSize: v.optional(bound(rowsAdvice), auto),
      maxRangeDays: v.optional(bound(daysAdvice), auto),
      sort: v.optional(enumField([auto, ...conventionChoices.sort]), auto),
      dateTo: v.optional(enumField([auto, ...conventionChoices.dateTo]), auto),
      overLimitStatuses: v.optional(statuses(), auto),
    },
    objectAdvice,
  ),
);

function rowsAdvice(): string {
  return l10n.t(
    'write "auto", a whole number of rows from 1 to {0}, or null for no limit.',
    maxBound,
  );
}

function daysAdvice(): string {
  return l10n.t(
    'write "auto", a whole number of days from 1 to {0}, or null for no limit.',
    maxBound,
  );
}

/** A maximum; null for no limit. */
function bound(advice: () => string) {
  const isBound = (value: unknown): boolean =>
    value === auto || value === null || isWhole(value, 1, maxBound);
  return v.custom<typeof auto | number | null>(isBound, advice);
}

function statuses() {
  const advice = (): string =>
    l10n.t(
      'write "auto" or a list of different HTTP statuses from 400 to 599, such as [429, 418].',
    );
  const isList = (value: unknown): boolean =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isWhole(one, 400, 599)) &&
    new Set(value).size === value.length;
  return v.custom<typeof auto | readonly number[]>(
    (value) => value === auto || isList(value),
    advice,
  );
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** What is wrong with a base URL; undefined if it is valid. */
export function baseUrlProblem(text: string): string | undefined {
  try {
    parseBaseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof UserFacingError) return localized(error.userMessage);
    throw error;
  }
}

const environments = ['live', 'test'] as const;

/** One profile of the setting `marginDesk.profiles`. */
const profileSchema = v.strictObject(
  {
    baseUrl: v.pipe(
      v.string(baseUrlAdvice),
      v.check(
        (text) => baseUrlProblem(text) === undefined,
        ({ input }) => baseUrlProblem(input) ?? '',
      ),
      v.transform(parseBaseUrl),
    ),
    environment: v.optional(enumField(environments), 'live'),
    readOnly: v.optional(v.boolean(booleanAdvice), false),
    limitPer: v.optional(enumField(limitOwners), 'origin'),
    auth: v.optional(authSchema, {}),
    dialect: v.optional(apiConventionsSchema, {}),
  },
  objectAdvice,
);

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
  const problem = l10n.t(
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
      ? l10n.t('Profile “{0}”: {1}', profile, advice)
      : l10n.t('Profile “{0}”, {1}: {2}', profile, cleanText(field, 60), advice);
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
  return l10n.t(
    'The name must not contain invisible characters, such as U+{0}: remove them.',
    code ?? '',
  );
}

/** What is wrong with the name of a stored profile; undefined if it is valid. */
export function nameProblem(name: string): string | undefined {
  const { length } = Array.from(name);
  if (length < 1 || length > maxNameLength)
    return l10n.t('The name must have 1 to {0} characters.', maxNameLength);
  if (name.trim() !== name || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    return l10n.t('The name must not start or end with a space or contain invisible characters.');
  if (looksLikePractice(name))
    return l10n.t(
      'The name is reserved for the built-in {0} profile. Choose another.',
      practiceName,
    );
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
