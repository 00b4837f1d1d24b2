import { createHash } from 'node:crypto';

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

/** What presets leave to the profile. They send no `recvWindow` if it is null. */
export type AuthFields = {
  readonly keyHeader: string;
  readonly timestampParam: string;
  readonly signatureParam: string;
  readonly timestampHeader: string;
  readonly signatureHeader: string;
  readonly passphraseHeader: string;
  readonly recvWindowHeader: string;
  readonly recvWindowMs: number | null;
  readonly stringToSign: string;
};

export const defaultAuthFields: AuthFields = {
  keyHeader: 'X-API-KEY',
  timestampParam: 'timestamp',
  signatureParam: 'signature',
  timestampHeader: 'X-TIMESTAMP',
  signatureHeader: 'X-SIGNATURE',
  passphraseHeader: 'X-PASSPHRASE',
  recvWindowHeader: 'X-RECV-WINDOW',
  recvWindowMs: null,
  stringToSign: '{timestamp}{apiKey}{recvWindow}{query}',
};

const unsigned = { stringToSign: '', headers: {}, query: {} };

/** How a preset differs from `defaultSigningSpec`. */
const presets = {
  none: () => unsigned,
  bearer: () => ({ ...unsigned, headers: { authorization: 'Bearer {token}' } }),
  /** RFC 7617. */
  basic: () => ({ ...unsigned, headers: { authorization: 'Basic {basic}' } }),
  apiKeyHeader: ({ keyHeader }) => ({ ...unsigned, headers: { [keyHeader]: '{apiKey}' } }),
  /**
   * HMAC-SHA256 in hex over the encoded query. After the parameters of the operation come `recvWindow`,
   * the timestamp and, always last, the signature.
   */
  hmacQuery: ({ keyHeader, timestampParam, signatureParam, recvWindowMs }) => ({
    recvWindowMs,
    stringToSign: '{query}',
    headers: { [keyHeader]: '{apiKey}' },
    query: {
      ...(recvWindowMs === null ? {} : { [recvWindowParam]: '{recvWindow}' }),
      [timestampParam]: '{timestamp}',
      [signatureParam]: '{signature}',
    },
  }),
  /** HMAC-SHA256 in hex over `stringToSign`; key, milliseconds, signature and window in headers. */
  hmacHeaders: ({ recvWindowMs, stringToSign, recvWindowHeader, ...names }) => ({
    recvWindowMs,
    stringToSign,
    headers: {
      ...signatureHeaders(names),
      ...(recvWindowMs === null ? {} : { [recvWindowHeader]: '{recvWindow}' }),
    },
  }),
  /** HMAC-SHA256 in base64 over ISO 8601 time, method and request target, with a passphrase in a header. */
  hmacIsoPassphrase: ({ passphraseHeader, ...names }) => ({
    timestamp: 'iso',
    encoding: 'base64',
    headers: { ...signatureHeaders(names), [passphraseHeader]: '{passphrase}' },
  }),
} satisfies Record<string, (fields: AuthFields) => Partial<SigningSpec>>;

function signatureHeaders({
  keyHeader,
  timestampHeader,
  signatureHeader,
}: Pick<AuthFields, 'keyHeader' | 'timestampHeader' | 'signatureHeader'>): SigningSpec['headers'] {
  return {
    [keyHeader]: '{apiKey}',
    [timestampHeader]: '{timestamp}',
    [signatureHeader]: '{signature}',
  };
}

type PresetName = keyof typeof presets;
export type SchemeName = PresetName | 'custom';

export const schemeNames = [...Object.keys(presets), 'custom'] as readonly SchemeName[];

/** How a request is authenticated, as data; the API does not specify it (section 5). */
export type AuthScheme = SigningSpec & { readonly scheme: SchemeName };

export function presetScheme(scheme: PresetName, fields: Partial<AuthFields> = {}): AuthScheme {
  const spec = presets[scheme]({ ...defaultAuthFields, ...fields });
  return { ...defaultSigningSpec, ...spec, scheme };
}

export const defaultHmacQuery = presetScheme('hmacQuery');

export type CredentialField =
  | 'apiKey'
  | 'apiSecret'
  | 'token'
  | 'user'
  | 'password'
  | 'passphrase'
  | 'privateKey';

/** The user's secrets: the fields of the scheme. Never part of a log, an error or a setting. */
export type Credentials = Readonly<Partial<Record<CredentialField, string>>>;

/**
 * Identifies an account by its credentials and address: a base URL, or an origin for what all its
 * accounts share. 32 hex digits of a hash that reveals neither.
 */
export function accountFingerprint(address: string, credentials: Credentials): string {
  const { apiKey, token, user } = credentials;
  const identity = JSON.stringify([address, apiKey ?? token ?? user ?? '']);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
