import * as v from 'valibot';
import { l10n } from 'vscode';
import { hourMs, minuteMs } from '../../base/time.ts';
import {
  algorithms,
  defaultSigningSpec,
  recvWindowParam,
  secretEncodings,
  signatureEncodings,
  timestampForms,
  defaultAuthFields,
  defaultHmacQuery,
  presetScheme,
  schemeNames,
  type AuthFields,
  type AuthScheme,
  type SchemeName,
  type SigningSpec,
} from '../../exchange/auth/scheme.ts';
import {
  isFreeHeader,
  isFreeParameter,
  templateProblem,
  type TemplatePlace,
} from '../../exchange/auth/templates.ts';
import { defaultSignedOperations, operationNames } from '../../api/operations.ts';
import { localized } from '../text/messageText.ts';

/*
 * Fields of the setting `marginDesk.profiles`. Each message says how to fix the field and never shows the
 * value: it could be a key in the wrong place. Messages are functions, because nothing is translated at
 * import time.
 */

type Advice = () => string;

const objectRequiredAdvice: Advice = () => l10n.t('write an object in braces.');
export const baseUrlAdvice: Advice = () =>
  l10n.t('write the exchange’s address as "https://host" or "https://host/prefix".');
export const booleanAdvice: Advice = () => l10n.t('write true or false.');

export function enumField<const Values extends readonly (string | number)[]>(values: Values) {
  const all = values.map((value) => JSON.stringify(value));
  return v.picklist(values, () =>
    l10n.t('write {0} or {1}.', all.slice(0, -1).join(', '), all.at(-1) ?? ''),
  );
}

export function objectAdvice({ expected, received, input }: v.StrictObjectIssue): string {
  if (expected === 'never') return unknownFieldAdvice(String(input));
  return received === 'undefined' ? baseUrlAdvice() : objectRequiredAdvice();
}

function unknownFieldAdvice(field: string): string {
  return /key|secret|token|passw|passphrase/i.test(field)
    ? l10n.t('keys do not belong in settings: remove it and run “Margin Desk: Edit Profile…”.')
    : l10n.t('there is no such field: remove it or correct its name.');
}

/** Arrays are objects in JavaScript and in valibot. */
export function notArray() {
  return v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value), objectRequiredAdvice),
  );
}

/** A template: only the names in braces that are allowed in this place. */
function templateField(place: TemplatePlace) {
  return v.pipe(
    v.string(() => l10n.t('write a text in quotes.')),
    v.check(
      (text) => templateProblem(place, text) === undefined,
      ({ input }) => localized(templateProblem(place, input) ?? ''),
    ),
  );
}

function durationMsField(
  from: number,
  to: number,
  advice: Advice = () => l10n.t('write whole milliseconds from {0} to {1}.', from, to),
) {
  return v.pipe(
    v.number(advice),
    v.integer(advice),
    v.minValue(from, advice),
    v.maxValue(to, advice),
  );
}

const headerName = v.pipe(
  v.string(),
  v.check(isFreeHeader, () =>
    l10n.t('a header of this name cannot be sent: write another, such as "X-API-KEY".'),
  ),
);
const headerText = v.pipe(
  templateField('header'),
  v.check(
    (text) => /^[\x20-\x7e\xa0-\xff]*$/.test(text),
    () => l10n.t('a header cannot contain a line break or this character: remove it.'),
  ),
);
const headers = v.pipe(
  v.record(headerName, headerText, () => l10n.t('write an object of headers and their texts.')),
  v.check(
    (written) => headerCount(written) === Object.keys(written).length,
    () => l10n.t('two headers have the same name: remove one.'),
  ),
);

const parameterName = v.pipe(
  v.string(),
  v.check(
    (name) => isFreeParameter(name) || name === recvWindowParam,
    () => l10n.t('the API uses this parameter name, or it is invalid: write another.'),
  ),
);
const query = v.record(parameterName, templateField('parameter'), () =>
  l10n.t('write an object of parameters and their texts.'),
);

/** `auth.custom` of a profile: a whole scheme as data. */
const customAuthSchema = v.pipe(
  v.strictObject(
    {
      timestamp: v.optional(enumField(timestampForms), defaultSigningSpec.timestamp),
      aheadMs: v.optional(durationMsField(0, hourMs), defaultSigningSpec.aheadMs),
      sortQuery: v.optional(v.boolean(booleanAdvice), defaultSigningSpec.sortQuery),
      algorithm: v.optional(enumField(algorithms), defaultSigningSpec.algorithm),
      secretEncoding: v.optional(enumField(secretEncodings), defaultSigningSpec.secretEncoding),
      stringToSign: v.optional(templateField('stringToSign'), defaultSigningSpec.stringToSign),
      encoding: v.optional(enumField(signatureEncodings), defaultSigningSpec.encoding),
      headers: v.optional(headers, defaultSigningSpec.headers),
      query: v.optional(query, defaultSigningSpec.query),
    },
    objectAdvice,
  ),
  v.forward(
    v.check(
      (written) => Object.keys({ ...written.headers, ...written.query }).length > 0,
      () => l10n.t('nothing would be sent: add a header here or a parameter in query.'),
    ),
    ['headers'],
  ),
);

/** Header names are case-insensitive. */
function headerCount(sent: SigningSpec['headers']): number {
  return new Set(Object.keys(sent).map((name) => name.toLowerCase())).size;
}

type HeaderField = Extract<keyof AuthFields, `${string}Header`>;
const signAdvice = (): string =>
  l10n.t('write a list of operations: {0}.', operationNames.join(', '));
const signedOperationsField = v.pipe(
  v.array(v.picklist(operationNames, signAdvice), signAdvice),
  v.check(
    (names) => new Set(names).size === names.length,
    () => l10n.t('name each operation once.'),
  ),
);
const recvWindow = durationMsField(1, minuteMs, () =>
  l10n.t('write whole milliseconds from {0} to {1}, or null to omit it.', 1, minuteMs),
);

function headerWithDefault(field: HeaderField) {
  const name = defaultAuthFields[field];
  const header = v.pipe(
    v.string(() => l10n.t('write the name of a header in quotes.')),
    v.check(isFreeHeader, () =>
      l10n.t('this header cannot carry a key: write another, such as "{0}".', name),
    ),
  );
  return v.optional(header, name);
}

function parameterWithDefault(field: 'timestampParam' | 'signatureParam') {
  const name = defaultAuthFields[field];
  const parameter = v.pipe(
    v.string(() => l10n.t('write the name of a parameter in quotes.')),
    v.check(isFreeParameter, () =>
      l10n.t(
        'the API uses this parameter name, or it is invalid: write another, such as "{0}".',
        name,
      ),
    ),
  );
  return v.optional(parameter, name);
}

const fields = v.strictObject(
  {
    scheme: v.optional(enumField(schemeNames), defaultHmacQuery.scheme),
    keyHeader: headerWithDefault('keyHeader'),
    timestampParam: parameterWithDefault('timestampParam'),
    signatureParam: parameterWithDefault('signatureParam'),
    timestampHeader: headerWithDefault('timestampHeader'),
    signatureHeader: headerWithDefault('signatureHeader'),
    passphraseHeader: headerWithDefault('passphraseHeader'),
    recvWindowHeader: headerWithDefault('recvWindowHeader'),
    recvWindowMs: v.optional(v.nullable(recvWindow), defaultAuthFields.recvWindowMs),
    stringToSign: v.optional(templateField('stringToSign'), defaultAuthFields.stringToSign),
    custom: v.optional(customAuthSchema, {}),
    sign: v.optional(signedOperationsField, [...defaultSignedOperations]),
  },
  objectAdvice,
);

/** `auth` of a profile, with its defaults. */
export const authSchema = v.pipe(
  notArray(),
  fields,
  v.forward(
    v.check(
      ({ timestampParam, signatureParam }) => timestampParam !== signatureParam,
      () => l10n.t('this is also the name of the timestamp: write another, such as "signature".'),
    ),
    ['signatureParam'],
  ),
  v.forward(
    v.check(hasAllHeaders, () =>
      l10n.t('two headers of the scheme have the same name: write another, such as "X-SIGNATURE".'),
    ),
    ['signatureHeader'],
  ),
);

/** The default scheme if no scheme has this name. */
export function chosenScheme(name: string | undefined): SchemeName {
  return schemeNames.find((scheme) => scheme === name) ?? defaultHmacQuery.scheme;
}

/** `auth` as it is written to settings for a scheme; a custom scheme starts from a template. */
export function authToWrite(scheme: SchemeName, current?: unknown): object {
  const auth = { ...(typeof current === 'object' ? current : {}), scheme };
  if (scheme !== 'custom' || 'custom' in auth) return auth;
  return { ...auth, custom: v.parse(customAuthSchema, {}) };
}

type AuthSetting = v.InferOutput<typeof fields>;

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

/** A scheme by what it sends and what it needs; in detail, what its requests carry. */
export function authenticationTexts(scheme: SchemeName): {
  readonly label: string;
  readonly detail: string;
} {
  const { t } = l10n;
  return {
    none: {
      label: t('No authentication — no credentials'),
      detail: t('No credentials are sent.'),
    },
    bearer: {
      label: t('Bearer token in a header — token'),
      detail: t('Token in the Authorization header.'),
    },
    basic: {
      label: t('HTTP Basic — user name + password'),
      detail: t('User name and password in the Authorization header.'),
    },
    apiKeyHeader: {
      label: t('API key in a header, no signature — API key'),
      detail: t('Key in a header, no signature.'),
    },
    hmacQuery: {
      label: t('HMAC-SHA256, signature in query — API key + secret'),
      detail: t('Key in a header, timestamp and HMAC-SHA256 signature in the query.'),
    },
    hmacHeaders: {
      label: t('HMAC-SHA256, signature in headers — API key + secret'),
      detail: t('Key, timestamp and HMAC-SHA256 signature in headers.'),
    },
    hmacIsoPassphrase: {
      label: t('HMAC-SHA256, ISO time in headers — API key + secret + passphrase'),
      detail: t('Key, ISO timestamp, base64 HMAC-SHA256 signature and passphrase in headers.'),
    },
    custom: {
      label: t('Custom, HMAC, Ed25519 or RSA — defined in settings.json'),
      detail: t('Your own headers and parameters, signed with HMAC, Ed25519 or RSA.'),
    },
  }[scheme];
}
