import * as v from 'valibot';
import { l10n } from 'vscode';
import {
  defaultHmacHeaders,
  defaultHmacIsoPassphrase,
  defaultHmacQuery,
  type AuthScheme,
} from '../../exchange/auth/scheme.ts';
import { defaultSignedOperations, operationNames } from '../../exchange/auth/signedOperations.ts';
import { areDistinct, customSchema } from './customSchema.ts';
import { choice, header, noList, objectCure, parameter, template, wholeMs } from './schemaParts.ts';

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

const usual = { ...defaultHmacIsoPassphrase, ...defaultHmacHeaders, ...defaultHmacQuery };
const signCure = (): string =>
  l10n.t('write a list of operations: {0}.', operationNames.join(', '));
const signed = v.pipe(
  v.array(v.picklist(operationNames, signCure), signCure),
  v.check(
    (names) => new Set(names).size === names.length,
    () => l10n.t('name each operation once.'),
  ),
);
const recvWindow = wholeMs(1, 60_000, () =>
  l10n.t('write whole milliseconds from {0} to {1}, or null to leave it out.', 1, 60_000),
);

const fields = v.strictObject(
  {
    scheme: v.optional(choice(schemes), usual.scheme),
    keyHeader: v.optional(header(usual.keyHeader), usual.keyHeader),
    timestampParam: v.optional(parameter(usual.timestampParam), usual.timestampParam),
    signatureParam: v.optional(parameter(usual.signatureParam), usual.signatureParam),
    timestampHeader: v.optional(header(usual.timestampHeader), usual.timestampHeader),
    signatureHeader: v.optional(header(usual.signatureHeader), usual.signatureHeader),
    passphraseHeader: v.optional(header(usual.passphraseHeader), usual.passphraseHeader),
    recvWindowHeader: v.optional(header(usual.recvWindowHeader), usual.recvWindowHeader),
    recvWindowMs: v.optional(v.nullable(recvWindow), usual.recvWindowMs),
    stringToSign: v.optional(template('stringToSign'), usual.stringToSign),
    custom: v.optional(customSchema, {}),
    sign: v.optional(signed, [...defaultSignedOperations]),
  },
  objectCure,
);

/** The part `auth` of a profile, with its defaults. */
export const authSchema = v.pipe(
  noList(),
  fields,
  v.forward(
    v.check(
      ({ timestampParam, signatureParam }) => timestampParam !== signatureParam,
      () => l10n.t('it has the name of the timestamp: write another, such as "signature".'),
    ),
    ['signatureParam'],
  ),
  v.forward(
    v.check(
      (auth) => areDistinct(headersOf(auth)),
      () =>
        l10n.t(
          'two headers of the scheme have the same name: write another, such as "X-SIGNATURE".',
        ),
    ),
    ['signatureHeader'],
  ),
);

/** A scheme with its defaults. */
export function usualScheme(scheme: AuthScheme['scheme']): AuthScheme {
  return schemeOf(v.parse(authSchema, { scheme }));
}

/** `auth` as it is written for another scheme; one of the person's own begins with a template to change. */
export function writtenAuth(scheme: AuthScheme['scheme'], earlier?: unknown): object {
  const written = { ...(typeof earlier === 'object' ? earlier : {}), scheme };
  if (scheme !== 'custom' || 'custom' in written) return written;
  return { ...written, custom: v.parse(customSchema, {}) };
}

export type AuthSetting = v.InferOutput<typeof fields>;

/** The headers that a preset with a signature in one of them sends. */
function headersOf(auth: AuthSetting): readonly string[] {
  const { keyHeader, timestampHeader, signatureHeader, passphraseHeader, recvWindowHeader } = auth;
  const common = [keyHeader, timestampHeader, signatureHeader];
  if (auth.scheme === 'hmacIsoPassphrase') return [...common, passphraseHeader];
  if (auth.scheme !== 'hmacHeaders') return [];
  return auth.recvWindowMs === null ? common : [...common, recvWindowHeader];
}

/** Of the setting, what its scheme uses. */
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
    default:
      return scheme satisfies never;
  }
}
