import * as v from 'valibot';
import { l10n } from 'vscode';
import { minuteMs } from '../../base/time.ts';
import {
  defaultHmacHeaders,
  defaultHmacIsoPassphrase,
  defaultHmacQuery,
  type AuthScheme,
} from '../../exchange/auth/scheme.ts';
import { defaultSignedOperations, operationNames } from '../../exchange/operations.ts';
import { areDistinctHeaders, customAuthSchema } from './customAuthSchema.ts';
import {
  enumField,
  headerNameField,
  notArray,
  objectAdvice,
  parameterNameField,
  templateField,
  durationMsField,
} from './schemaFields.ts';

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
