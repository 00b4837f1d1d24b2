import { phrase, type Phrase } from '../../base/phrase.ts';
import {
  defaultSigningSpec,
  recvWindowParam,
  type AuthScheme,
  type CredentialField,
  type HmacHeaders,
  type HmacIsoPassphrase,
  type HmacQuery,
  type SigningSpec,
} from './scheme.ts';
import { namesUsed, templateProblem, type TemplateName } from './templates.ts';

const unsigned: SigningSpec = { ...defaultSigningSpec, stringToSign: '', headers: {}, query: {} };

/** Every scheme in the same terms: a preset is a spec with a few names left to the profile. */
export function signingSpecOf(auth: AuthScheme): SigningSpec {
  switch (auth.scheme) {
    case 'none':
      return unsigned;
    case 'bearer':
      return { ...unsigned, headers: { authorization: 'Bearer {token}' } };
    case 'basic':
      return { ...unsigned, headers: { authorization: 'Basic {basic}' } };
    case 'apiKeyHeader':
      return { ...unsigned, headers: { [auth.keyHeader]: '{apiKey}' } };
    case 'hmacQuery':
      return hmacQuery(auth);
    case 'hmacHeaders':
      return hmacHeaders(auth);
    case 'hmacIsoPassphrase':
      return hmacIsoPassphrase(auth);
    case 'custom':
      return auth;
  }
}

function hmacQuery({
  keyHeader,
  timestampParam,
  signatureParam,
  recvWindowMs,
}: HmacQuery): SigningSpec {
  return {
    ...defaultSigningSpec,
    recvWindowMs,
    stringToSign: '{query}',
    headers: { [keyHeader]: '{apiKey}' },
    query: {
      ...(recvWindowMs === null ? {} : { [recvWindowParam]: '{recvWindow}' }),
      [timestampParam]: '{timestamp}',
      [signatureParam]: '{signature}',
    },
  };
}

function hmacHeaders(scheme: HmacHeaders): SigningSpec {
  const { recvWindowMs, stringToSign } = scheme;
  return {
    ...defaultSigningSpec,
    recvWindowMs,
    stringToSign,
    headers: {
      [scheme.keyHeader]: '{apiKey}',
      [scheme.timestampHeader]: '{timestamp}',
      [scheme.signatureHeader]: '{signature}',
      ...(recvWindowMs === null ? {} : { [scheme.recvWindowHeader]: '{recvWindow}' }),
    },
  };
}

function hmacIsoPassphrase(scheme: HmacIsoPassphrase): SigningSpec {
  return {
    ...defaultSigningSpec,
    timestamp: 'iso',
    stringToSign: '{timestamp}{method}{target}',
    encoding: 'base64',
    headers: {
      [scheme.keyHeader]: '{apiKey}',
      [scheme.timestampHeader]: '{timestamp}',
      [scheme.signatureHeader]: '{signature}',
      [scheme.passphraseHeader]: '{passphrase}',
    },
  };
}

/** What a scheme needs from the person, in the order in which it is asked for. */
export function credentialFields(auth: AuthScheme): readonly CredentialField[] {
  const spec = signingSpecOf(auth);
  const used = new Set([...namesSent(spec), ...namesUsed(spec.stringToSign)]);
  const secret = isHmac(spec) ? 'apiSecret' : 'privateKey';
  const needs: readonly (readonly [CredentialField, ...TemplateName[]])[] = [
    ['apiKey', 'apiKey'],
    [secret, 'signature', 'passphraseSignature'],
    ['passphrase', 'passphrase', 'passphraseSignature'],
    ['token', 'token'],
    ['user', 'basic'],
    ['password', 'basic'],
  ];
  return needs
    .filter(([, ...names]) => names.some((name) => used.has(name)))
    .map(([field]) => field);
}

/** Whether requests carry the time, so that an exchange may refuse them for it. */
export function sendsTimestamp(auth: AuthScheme): boolean {
  return namesSent(signingSpecOf(auth)).includes('timestamp');
}

function isHmac({ algorithm }: SigningSpec): boolean {
  return algorithm.startsWith('hmac');
}

/** What is wrong with a scheme's templates, in one sentence that names the place; undefined when they are valid. */
export function schemeProblem(auth: AuthScheme): Phrase | undefined {
  const { stringToSign, headers, query } = signingSpecOf(auth);
  const templates = [
    ['stringToSign', 'stringToSign', stringToSign],
    ...Object.entries(headers).map(([name, template]) => [name, 'header', template] as const),
    ...Object.entries(query).map(([name, template]) => [name, 'parameter', template] as const),
  ] as const;
  for (const [where, place, template] of templates) {
    const problem = templateProblem(place, template);
    if (problem !== undefined) return phrase('{0}: {1}', where, problem);
  }
  return undefined;
}

function namesSent({ headers, query }: SigningSpec): readonly TemplateName[] {
  return [...Object.values(headers), ...Object.values(query)].flatMap(namesUsed);
}
