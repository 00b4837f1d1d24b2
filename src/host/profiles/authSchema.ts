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
  defaultHmacHeaders,
  defaultHmacIsoPassphrase,
  defaultHmacQuery,
  type AuthScheme,
} from '../../exchange/auth/scheme.ts';
import { isFreeHeader, isFreeParameter } from '../../exchange/auth/templates.ts';
import {
  enumField,
  booleanAdvice,
  objectAdvice,
  templateField,
  durationMsField,
  headerNameField,
  notArray,
  parameterNameField,
} from './schemaFields.ts';
import { defaultSignedOperations, operationNames } from '../../exchange/operations.ts';

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
    (written) => areDistinctHeaders(Object.keys(written)),
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
function areDistinctHeaders(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

export const schemes = [
  'none',
  'bearer',
  'basic',
  'apiKeyHeader',
  'hmacQuery',
  'hmacHeaders',
  'hmacIsoPassphrase',
  'custom',
] as const satisfies readonly AuthScheme['scheme'][];

const defaults = { ...defaultHmacIsoPassphrase, ...defaultHmacHeaders, ...defaultHmacQuery };
type HeaderField = Extract<keyof typeof defaults, `${string}Header`>;
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
  return v.optional(headerNameField(defaults[field]), defaults[field]);
}

function parameterWithDefault(field: 'timestampParam' | 'signatureParam') {
  return v.optional(parameterNameField(defaults[field]), defaults[field]);
}

const fields = v.strictObject(
  {
    scheme: v.optional(enumField(schemes), defaults.scheme),
    keyHeader: headerWithDefault('keyHeader'),
    timestampParam: parameterWithDefault('timestampParam'),
    signatureParam: parameterWithDefault('signatureParam'),
    timestampHeader: headerWithDefault('timestampHeader'),
    signatureHeader: headerWithDefault('signatureHeader'),
    passphraseHeader: headerWithDefault('passphraseHeader'),
    recvWindowHeader: headerWithDefault('recvWindowHeader'),
    recvWindowMs: v.optional(v.nullable(recvWindow), defaults.recvWindowMs),
    stringToSign: v.optional(templateField('stringToSign'), defaults.stringToSign),
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
    v.check(
      (auth) => areDistinctHeaders(signatureHeaders(auth)),
      () =>
        l10n.t(
          'two headers of the scheme have the same name: write another, such as "X-SIGNATURE".',
        ),
    ),
    ['signatureHeader'],
  ),
);

/** The default scheme if no scheme has this name. */
export function chosenScheme(name: string | undefined): AuthScheme['scheme'] {
  return schemes.find((scheme) => scheme === name) ?? defaults.scheme;
}

export function defaultScheme(scheme: AuthScheme['scheme']): AuthScheme {
  return schemeOf(v.parse(authSchema, { scheme }));
}

/** `auth` as it is written to settings for a scheme; a custom scheme starts from a template. */
export function authToWrite(scheme: AuthScheme['scheme'], current?: unknown): object {
  const auth = { ...(typeof current === 'object' ? current : {}), scheme };
  if (scheme !== 'custom' || 'custom' in auth) return auth;
  return { ...auth, custom: v.parse(customAuthSchema, {}) };
}

type AuthSetting = v.InferOutput<typeof fields>;

/** The headers that a scheme with a signature header sends. */
function signatureHeaders(auth: AuthSetting): readonly string[] {
  const { keyHeader, timestampHeader, signatureHeader, passphraseHeader, recvWindowHeader } = auth;
  const common = [keyHeader, timestampHeader, signatureHeader];
  if (auth.scheme === 'hmacIsoPassphrase') return [...common, passphraseHeader];
  if (auth.scheme !== 'hmacHeaders') return [];
  return auth.recvWindowMs === null ? common : [...common, recvWindowHeader];
}

/** The fields of the setting that its scheme uses. */
export function schemeOf(auth: AuthSetting): AuthScheme {
  const { scheme, keyHeader, timestampHeader, signatureHeader, recvWindowMs } = auth;
  switch (scheme) {
    case 'none':
    case 'bearer':
    case 'basic':
      return { scheme };
    case 'apiKeyHeader':
      return { scheme, keyHeader };
    case 'hmacQuery': {
      const { timestampParam, signatureParam } = auth;
      return { scheme, keyHeader, timestampParam, signatureParam, recvWindowMs };
    }
    case 'hmacHeaders': {
      const { recvWindowHeader, stringToSign } = auth;
      const headers = { keyHeader, timestampHeader, signatureHeader, recvWindowHeader };
      return { scheme, ...headers, recvWindowMs, stringToSign };
    }
    case 'hmacIsoPassphrase': {
      const { passphraseHeader } = auth;
      return { scheme, keyHeader, timestampHeader, signatureHeader, passphraseHeader };
    }
    case 'custom':
      return { scheme, ...auth.custom, recvWindowMs };
  }
}
