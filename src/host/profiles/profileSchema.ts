import * as v from 'valibot';
import { limitOwners } from '../../account/session/profile.ts';
import { UserFacingError } from '../../base/errors.ts';
import { hourMs, minuteMs } from '../../base/time.ts';
import {
  algorithms,
  defaultAuthFields,
  defaultHmacQuery,
  defaultSigningSpec,
  presetScheme,
  recvWindowParam,
  schemeNames,
  schemes,
  secretEncodings,
  signatureEncodings,
  timestampForms,
  type AuthFields,
  type AuthScheme,
  type SchemeName,
  type SigningSpec,
} from '../../exchange/auth/scheme.ts';
import {
  freeHeader,
  freeParameter,
  templateProblem,
  type TemplatePlace,
} from '../../exchange/auth/templates.ts';
import {
  conventionValues,
  type ApiConventions,
  type ConventionName,
} from '../../exchange/history/apiConventions.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import { defaultSignedOperations, operationNames } from '../../api/operations.ts';
import { localized } from '../text/messageText.ts';
import { t } from '../shared/translate.ts';

/*
 * The setting `marginDesk.profiles`. `npm run schema` writes its JSON schema into package.json. Each message says how to fix the
 * field and never shows the value: it could be a key in the wrong place. Messages are functions, because
 * nothing is translated at import time.
 */

type Advice = () => string;

function choice<const Values extends readonly (string | number)[]>(values: Values) {
  const all = values.map((value) => JSON.stringify(value));
  return v.picklist(values, () =>
    t('write {0} or {1}.', all.slice(0, -1).join(', '), all.at(-1) ?? ''),
  );
}

const flag = v.boolean(() => t('write true or false.'));

function wholeNumber(from: number, to: number, advice: Advice) {
  return v.pipe(
    v.number(advice),
    v.integer(advice),
    v.minValue(from, advice),
    v.maxValue(to, advice),
  );
}

function areDifferent(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

const baseUrlAdvice: Advice = () =>
  t('write the exchange’s address as "https://host" or "https://host/prefix".');
const objectAdvice: Advice = () => t('write an object in braces.');

/** An object with these fields alone. Arrays are objects in JavaScript and in valibot. */
function fieldsOf<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value), objectAdvice),
    v.strictObject(entries, ({ expected, received, input }) => {
      if (expected === 'never') return unknownFieldAdvice(String(input));
      return received === 'undefined' ? baseUrlAdvice() : objectAdvice();
    }),
  );
}

function unknownFieldAdvice(field: string): string {
  return /key|secret|token|passw|passphrase/i.test(field)
    ? t('keys do not belong in settings: remove it and run “Margin Desk: Edit Profile…”.')
    : t('there is no such field: remove it or correct its name.');
}

/** A template: only the names in braces that are allowed in this place. */
function template(place: TemplatePlace) {
  return v.pipe(
    v.string(() => t('write a text in quotes.')),
    v.check(
      (text) => templateProblem(place, text) === undefined,
      ({ input }) => localized(templateProblem(place, input) ?? ''),
    ),
  );
}

const headers = v.pipe(
  v.record(
    v.pipe(
      v.string(),
      v.regex(freeHeader, () =>
        t('a header of this name cannot be sent: write another, such as "X-API-KEY".'),
      ),
    ),
    v.pipe(
      template('header'),
      v.regex(/^[\x20-\x7e\xa0-\xff]*$/, () =>
        t('a header cannot contain a line break or this character: remove it.'),
      ),
    ),
    () => t('write an object of headers and their texts.'),
  ),
  v.check(
    (written) => headerCount(written) === Object.keys(written).length,
    () => t('two headers have the same name: remove one.'),
  ),
);

const query = v.record(
  v.pipe(
    v.string(),
    v.check(
      (name) => freeParameter.test(name) || name === recvWindowParam,
      () => t('the API uses this parameter name, or it is invalid: write another.'),
    ),
  ),
  template('parameter'),
  () => t('write an object of parameters and their texts.'),
);

const duration = wholeNumber(0, hourMs, () =>
  t('write whole milliseconds from {0} to {1}.', 0, hourMs),
);

/** `auth.custom` of a profile: a whole scheme as data. */
const customSchema = v.pipe(
  fieldsOf({
    timestamp: v.optional(choice(timestampForms), defaultSigningSpec.timestamp),
    aheadMs: v.optional(duration, defaultSigningSpec.aheadMs),
    sortQuery: v.optional(flag, defaultSigningSpec.sortQuery),
    algorithm: v.optional(choice(algorithms), defaultSigningSpec.algorithm),
    secretEncoding: v.optional(choice(secretEncodings), defaultSigningSpec.secretEncoding),
    stringToSign: v.optional(template('stringToSign'), defaultSigningSpec.stringToSign),
    encoding: v.optional(choice(signatureEncodings), defaultSigningSpec.encoding),
    headers: v.optional(headers, defaultSigningSpec.headers),
    query: v.optional(query, defaultSigningSpec.query),
  }),
  v.forward(
    v.check(
      (written) => Object.keys({ ...written.headers, ...written.query }).length > 0,
      () => t('nothing would be sent: add a header here or a parameter in query.'),
    ),
    ['headers'],
  ),
);

/** Header names are case-insensitive. */
function headerCount(sent: SigningSpec['headers']): number {
  return new Set(Object.keys(sent).map((name) => name.toLowerCase())).size;
}

function header(field: Extract<keyof AuthFields, `${string}Header`>) {
  const name = defaultAuthFields[field];
  const advice = () => t('this header cannot carry a key: write another, such as "{0}".', name);
  const text = v.string(() => t('write the name of a header in quotes.'));
  return v.optional(v.pipe(text, v.regex(freeHeader, advice)), name);
}

function parameter(field: 'timestampParam' | 'signatureParam') {
  const name = defaultAuthFields[field];
  const advice = () =>
    t('the API uses this parameter name, or it is invalid: write another, such as "{0}".', name);
  const text = v.string(() => t('write the name of a parameter in quotes.'));
  return v.optional(v.pipe(text, v.regex(freeParameter, advice)), name);
}

const recvWindow = wholeNumber(1, minuteMs, () =>
  t('write whole milliseconds from {0} to {1}, or null to omit it.', 1, minuteMs),
);
const signAdvice: Advice = () => t('write a list of operations: {0}.', operationNames.join(', '));

const authFields = fieldsOf({
  scheme: v.optional(choice(schemeNames), defaultHmacQuery.scheme),
  keyHeader: header('keyHeader'),
  timestampParam: parameter('timestampParam'),
  signatureParam: parameter('signatureParam'),
  timestampHeader: header('timestampHeader'),
  signatureHeader: header('signatureHeader'),
  passphraseHeader: header('passphraseHeader'),
  recvWindowHeader: header('recvWindowHeader'),
  recvWindowMs: v.optional(v.nullable(recvWindow), defaultAuthFields.recvWindowMs),
  stringToSign: v.optional(template('stringToSign'), defaultAuthFields.stringToSign),
  custom: v.optional(customSchema, {}),
  sign: v.optional(
    v.pipe(
      v.array(v.picklist(operationNames, signAdvice), signAdvice),
      v.check(
        (names) => areDifferent(names),
        () => t('name each operation once.'),
      ),
      v.metadata({ uniqueItems: true }),
    ),
    [...defaultSignedOperations],
  ),
});

/** `auth` of a profile, with its defaults. */
const authSchema = v.pipe(
  authFields,
  v.forward(
    v.check(
      ({ timestampParam, signatureParam }) => timestampParam !== signatureParam,
      () => t('this is also the name of the timestamp: write another, such as "signature".'),
    ),
    ['signatureParam'],
  ),
  v.forward(
    v.check(hasAllHeaders, () =>
      t('two headers of the scheme have the same name: write another, such as "X-SIGNATURE".'),
    ),
    ['signatureHeader'],
  ),
);

type AuthSetting = v.InferOutput<typeof authFields>;

/** Two headers of a preset with the same name would be one. */
function hasAllHeaders(auth: AuthSetting): boolean {
  const { scheme, recvWindowMs } = auth;
  if (scheme === 'custom') return true;
  const { headers: all } = presetScheme(scheme, { recvWindowMs });
  return headerCount(schemeOf(auth).headers) === headerCount(all);
}

/** The fields of the setting that its scheme uses. */
export function schemeOf({ scheme, custom, ...fields }: AuthSetting): AuthScheme {
  return scheme === 'custom'
    ? { ...custom, recvWindowMs: fields.recvWindowMs, scheme }
    : presetScheme(scheme, fields);
}

/** The default scheme if no scheme has this name. */
export function chosenScheme(name: string | undefined): SchemeName {
  return schemeNames.find((scheme) => scheme === name) ?? defaultHmacQuery.scheme;
}

/** `auth` as it is written to settings for a scheme; a custom scheme starts from a template. */
export function authToWrite(scheme: SchemeName, current?: unknown): object {
  const auth = { ...(typeof current === 'object' ? current : {}), scheme };
  if (scheme !== 'custom' || 'custom' in auth) return auth;
  return { ...auth, custom: v.parse(customSchema, {}) };
}

export function schemeLabel(scheme: SchemeName): string {
  return localized(schemes[scheme].label);
}

const auto = 'auto';

/** The values that a person can pick. Of numbers and statuses, settings.json takes others. */
export const conventionChoices = {
  ...conventionValues,
  maxPageSize: [null, 10, 20, 50, 100, 200, 500, 1000],
  maxRangeDays: [null, 1, 7, 30, 90, 180, 365],
  overLimitStatuses: [[429, 418], [429], [418], [429, 503]],
} as const satisfies { readonly [Name in ConventionName]: readonly ApiConventions[Name][] };

const maxBound = 100_000;

/** A maximum; null for no limit. */
function bound(advice: Advice) {
  const value = v.union([choice([auto]), v.null(), wholeNumber(1, maxBound, advice)], advice);
  return v.optional(value, auto);
}

const statusAdvice: Advice = () =>
  t('write "auto" or a list of different HTTP statuses from 400 to 599, such as [429, 418].');
const statuses = v.pipe(
  v.array(wholeNumber(400, 599, statusAdvice), statusAdvice),
  v.minLength(1, statusAdvice),
  v.check((codes) => areDifferent(codes), statusAdvice),
  v.metadata({ uniqueItems: true }),
);

/** `dialect` of a profile: each convention, or `auto` to detect it. */
const conventionsSchema = fieldsOf({
  firstPage: v.optional(choice([auto, ...conventionChoices.firstPage]), auto),
  dates: v.optional(choice([auto, ...conventionChoices.dates]), auto),
  lists: v.optional(choice([auto, ...conventionChoices.lists]), auto),
  maxPageSize: bound(() =>
    t('write "auto", a whole number of rows from 1 to {0}, or null for no limit.', maxBound),
  ),
  maxRangeDays: bound(() =>
    t('write "auto", a whole number of days from 1 to {0}, or null for no limit.', maxBound),
  ),
  sort: v.optional(choice([auto, ...conventionChoices.sort]), auto),
  dateTo: v.optional(choice([auto, ...conventionChoices.dateTo]), auto),
  overLimitStatuses: v.optional(v.union([choice([auto]), statuses], statusAdvice), auto),
});

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

/** What `parseBaseUrl` accepts, as far as a pattern can say it. */
const baseUrlPattern = String.raw`^(?:https://(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#@:\\<>^|%\[\]]+)|http://(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?(?:/[^?#]*)?$`;

/** One profile of the setting. */
export const profileSchema = fieldsOf({
  baseUrl: v.pipe(
    v.string(baseUrlAdvice),
    v.check(
      (text) => baseUrlProblem(text) === undefined,
      ({ input }) => baseUrlProblem(input) ?? '',
    ),
    v.metadata({ pattern: baseUrlPattern }),
    v.transform(parseBaseUrl),
  ),
  environment: v.optional(choice(['live', 'test']), 'live'),
  readOnly: v.optional(flag, false),
  limitPer: v.optional(choice(limitOwners), 'origin'),
  auth: v.optional(authSchema, {}),
  dialect: v.optional(conventionsSchema, {}),
});
