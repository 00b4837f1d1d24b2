import { phrase, type Phrase } from '../../base/phrase.ts';

export const algorithms = [
  'hmacSha256',
  'hmacSha384',
  'hmacSha512',
  'ed25519',
  'rsaSha256',
] as const;
export const timestampForms = ['ms', 's', 'us', 'iso'] as const;
export const secretEncodings = ['text', 'base64', 'hex'] as const;
export const signatureEncodings = ['hex', 'base64', 'base64url'] as const;

/** What one signer needs to know of a scheme. Templates name their parts in braces; `templates.ts` lists the valid names. */
export type SigningSpec = {
  /** Milliseconds, seconds or microseconds since the epoch, or ISO 8601 with milliseconds. */
  readonly timestamp: (typeof timestampForms)[number];
  /** How far the timestamp is ahead of now, for exchanges that expect the time when a request expires. */
  readonly aheadMs: number;
  readonly recvWindowMs: number | null;
  /** Whether the parameters are sent in the order of their names. */
  readonly sortQuery: boolean;
  readonly algorithm: (typeof algorithms)[number];
  /** How the text of an HMAC secret is encoded. */
  readonly secretEncoding: (typeof secretEncodings)[number];
  readonly stringToSign: string;
  readonly encoding: (typeof signatureEncodings)[number];
  readonly headers: Readonly<Record<string, string>>;
  /** Templates by the name of their parameter; those with the signature are sent last. */
  readonly query: Readonly<Record<string, string>>;
};

export const defaultSigningSpec: SigningSpec = {
  timestamp: 'ms',
  aheadMs: 0,
  recvWindowMs: null,
  sortQuery: false,
  algorithm: 'hmacSha256',
  secretEncoding: 'text',
  stringToSign: '{timestamp}{method}{target}',
  encoding: 'hex',
  headers: {
    'X-API-KEY': '{apiKey}',
    'X-TIMESTAMP': '{timestamp}',
    'X-SIGNATURE': '{signature}',
  },
  query: {},
};

export const recvWindowParam = 'recvWindow';

/** What a preset leaves to the profile. */
export const defaultAuthFields = {
  keyHeader: 'X-API-KEY',
  timestampParam: 'timestamp',
  signatureParam: 'signature',
  timestampHeader: 'X-TIMESTAMP',
  signatureHeader: 'X-SIGNATURE',
  passphraseHeader: 'X-PASSPHRASE',
  recvWindowHeader: 'X-RECV-WINDOW',
  /** What carries it is left out if it is null. */
  recvWindowMs: null as number | null,
  stringToSign: '{timestamp}{apiKey}{recvWindow}{query}',
};
export type AuthFields = Readonly<typeof defaultAuthFields>;

type Scheme = {
  /** In lists: what it sends, and what it needs. */
  readonly label: Phrase;
  /** What its requests carry. */
  readonly detail: Phrase;
  /** How it differs from `defaultSigningSpec`. */
  readonly spec: Partial<SigningSpec>;
};

const signedQuery = {
  stringToSign: '{query}',
  headers: { keyHeader: '{apiKey}' },
  query: {
    [recvWindowParam]: '{recvWindow}',
    timestampParam: '{timestamp}',
    signatureParam: '{signature}',
  },
};
const signedHeaders = {
  keyHeader: '{apiKey}',
  timestampHeader: '{timestamp}',
  signatureHeader: '{signature}',
};

/** Each way to authenticate. A name or text that is one of `AuthFields` stands for what the profile says. */
export const schemes = {
  none: {
    label: phrase('No authentication — no credentials'),
    detail: phrase('No credentials are sent.'),
    spec: { headers: {} },
  },
  bearer: {
    label: phrase('Bearer token in a header — token'),
    detail: phrase('Token in the Authorization header.'),
    spec: { headers: { authorization: 'Bearer {token}' } },
  },
  /** RFC 7617. */
  basic: {
    label: phrase('HTTP Basic — user name + password'),
    detail: phrase('User name and password in the Authorization header.'),
    spec: { headers: { authorization: 'Basic {basic}' } },
  },
  apiKeyHeader: {
    label: phrase('API key in a header, no signature — API key'),
    detail: phrase('Key in a header, no signature.'),
    spec: { headers: { keyHeader: '{apiKey}' } },
  },
  hmacQuery: {
    label: phrase('HMAC-SHA256, signature in query — API key + secret'),
    detail: phrase('Key in a header, timestamp and HMAC-SHA256 signature in the query.'),
    spec: signedQuery,
  },
  hmacHeaders: {
    label: phrase('HMAC-SHA256, signature in headers — API key + secret'),
    detail: phrase('Key, timestamp and HMAC-SHA256 signature in headers.'),
    spec: {
      stringToSign: 'stringToSign',
      headers: { ...signedHeaders, recvWindowHeader: '{recvWindow}' },
    },
  },
  hmacIsoPassphrase: {
    label: phrase('HMAC-SHA256, ISO time in headers — API key + secret + passphrase'),
    detail: phrase('Key, ISO timestamp, base64 HMAC-SHA256 signature and passphrase in headers.'),
    spec: {
      timestamp: 'iso',
      encoding: 'base64',
      headers: { ...signedHeaders, passphraseHeader: '{passphrase}' },
    },
  },
  ed25519Query: {
    label: phrase('Ed25519, signature in query — API key + private key'),
    detail: phrase('Key in a header, timestamp and base64 Ed25519 signature in the query.'),
    spec: { ...signedQuery, algorithm: 'ed25519', encoding: 'base64' },
  },
  /** Its spec is the setting `auth.custom`. */
  custom: {
    label: phrase('Custom, HMAC, Ed25519 or RSA — defined in settings.json'),
    detail: phrase('Your own headers and parameters, signed with HMAC, Ed25519 or RSA.'),
    spec: {},
  },
} as const satisfies Record<string, Scheme>;

export type SchemeName = keyof typeof schemes;

export const schemeNames = Object.keys(schemes) as readonly SchemeName[];

/** How a request is authenticated, as data; the API does not specify it (section 5). */
export type AuthScheme = SigningSpec & { readonly scheme: SchemeName };

export function presetScheme(
  scheme: Exclude<SchemeName, 'custom'>,
  given: Partial<AuthFields> = {},
): AuthScheme {
  const { recvWindowMs, ...texts } = { ...defaultAuthFields, ...given };
  const spec: SigningSpec = { ...defaultSigningSpec, ...schemes[scheme].spec, recvWindowMs };
  const ofProfile = (text: string): string =>
    Object.hasOwn(texts, text) ? texts[text as keyof typeof texts] : text;
  const named = (templates: SigningSpec['headers']): SigningSpec['headers'] =>
    Object.fromEntries(
      Object.entries(templates)
        .filter(([, template]) => recvWindowMs !== null || template !== '{recvWindow}')
        .map(([name, template]) => [ofProfile(name), template]),
    );
  const { stringToSign, headers, query } = spec;
  return {
    ...spec,
    scheme,
    stringToSign: ofProfile(stringToSign),
    headers: named(headers),
    query: named(query),
  };
}

export const defaultHmacQuery = presetScheme('hmacQuery');
