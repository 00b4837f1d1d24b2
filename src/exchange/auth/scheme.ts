import { createHash } from 'node:crypto';

/**
 * How a request is authenticated; the API does not specify it (section 5). A scheme is data:
 * `signingSpecOf` converts each scheme to one common form, which one signer uses.
 */
export type AuthScheme =
  | { readonly scheme: 'none' }
  /** `Authorization: Bearer <token>`. */
  | { readonly scheme: 'bearer' }
  /** `Authorization: Basic <base64 of user:password>` (RFC 7617). */
  | { readonly scheme: 'basic' }
  /** The API key in a header, nothing signed. */
  | { readonly scheme: 'apiKeyHeader'; readonly keyHeader: string }
  | HmacQuery
  | HmacHeaders
  | HmacIsoPassphrase
  | (SigningSpec & { readonly scheme: 'custom' });

/**
 * HMAC-SHA256 in hex over the encoded query. After the parameters of the operation come
 * `recvWindow` unless it is null, the timestamp and, always last, the signature.
 */
export type HmacQuery = {
  readonly scheme: 'hmacQuery';
  readonly keyHeader: string;
  readonly timestampParam: string;
  readonly signatureParam: string;
  readonly recvWindowMs: number | null;
};

/** HMAC-SHA256 in hex over `stringToSign`; key, milliseconds, signature and window in headers. */
export type HmacHeaders = {
  readonly scheme: 'hmacHeaders';
  readonly keyHeader: string;
  readonly timestampHeader: string;
  readonly signatureHeader: string;
  readonly recvWindowHeader: string;
  readonly recvWindowMs: number | null;
  readonly stringToSign: string;
};

/** HMAC-SHA256 in base64 over ISO 8601 time, method and request target, with a passphrase in a header. */
export type HmacIsoPassphrase = {
  readonly scheme: 'hmacIsoPassphrase';
  readonly keyHeader: string;
  readonly timestampHeader: string;
  readonly signatureHeader: string;
  readonly passphraseHeader: string;
};

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

/** A custom scheme. Templates name their parts in braces; `templates.ts` lists the valid names. */
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

export const defaultHmacQuery: HmacQuery = {
  scheme: 'hmacQuery',
  keyHeader: 'X-API-KEY',
  timestampParam: 'timestamp',
  signatureParam: 'signature',
  recvWindowMs: null,
};

export const defaultHmacHeaders: HmacHeaders = {
  scheme: 'hmacHeaders',
  keyHeader: defaultHmacQuery.keyHeader,
  timestampHeader: 'X-TIMESTAMP',
  signatureHeader: 'X-SIGNATURE',
  recvWindowHeader: 'X-RECV-WINDOW',
  recvWindowMs: null,
  stringToSign: '{timestamp}{apiKey}{recvWindow}{query}',
};

export const defaultHmacIsoPassphrase: HmacIsoPassphrase = {
  scheme: 'hmacIsoPassphrase',
  keyHeader: defaultHmacHeaders.keyHeader,
  timestampHeader: defaultHmacHeaders.timestampHeader,
  signatureHeader: defaultHmacHeaders.signatureHeader,
  passphraseHeader: 'X-PASSPHRASE',
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
