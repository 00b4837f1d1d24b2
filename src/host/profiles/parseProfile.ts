import * as v from 'valibot';
import { l10n } from 'vscode';
import { limitOwners, originOf, type Profile } from '../../account/session/profile.ts';
import { cleanText, escapeInvisible } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { autoConventions } from '../../exchange/conventions/apiConventions.ts';
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
import { nameProblem } from './profileName.ts';

const auto = 'auto';
const maxBound = 100_000;

/** `dialect` of a profile: each entry a value, or `auto` to detect it. */
const apiConventionsSchema = v.pipe(
  notArray(),
  v.strictObject(
    {
      firstPage: v.optional(enumField([auto, 0, 1]), autoConventions.firstPage),
      dates: v.optional(
        enumField([auto, 'epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate']),
        autoConventions.dates,
      ),
      lists: v.optional(enumField([auto, 'repeat', 'comma', 'brackets']), autoConventions.lists),
      maxPageSize: v.optional(bound(rowsAdvice), autoConventions.maxPageSize),
      maxRangeDays: v.optional(bound(daysAdvice), autoConventions.maxRangeDays),
      sort: v.optional(
        enumField([auto, 'newestFirst', 'oldestFirst', 'none']),
        autoConventions.sort,
      ),
      dateTo: v.optional(enumField([auto, 'inclusive', 'exclusive']), autoConventions.dateTo),
      overLimitStatuses: v.optional(statuses(), autoConventions.overLimitStatuses),
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

const environments = ['live', 'test'] as const;

/** One profile of the setting `marginDesk.profiles`. */
const profileSchema = v.strictObject(
  {
    baseUrl: v.string(baseUrlAdvice),
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
    throw error instanceof UserFacingError
      ? problemIn(name, 'baseUrl', localized(error.userMessage))
      : error;
  }
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
