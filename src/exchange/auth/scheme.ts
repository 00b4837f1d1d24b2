/** How a request proves who sends it; the interface leaves it open (section 5). A scheme is data. */
export type AuthScheme =
  | { readonly scheme: 'none' }
  /** `Authorization: Bearer <token>`. */
  | { readonly scheme: 'bearer' }
  /** The API key in a header, nothing signed. */
  | { readonly scheme: 'apiKeyHeader'; readonly keyHeader: string }
  | HmacQuery;

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

export const defaultHmacQuery: HmacQuery = {
  scheme: 'hmacQuery',
  keyHeader: 'X-API-KEY',
  timestampParam: 'timestamp',
  signatureParam: 'signature',
  recvWindowMs: null,
};

export const recvWindowParam = 'recvWindow';

export type CredentialField = 'apiKey' | 'apiSecret' | 'token';

/** What the person holds: the fields of the scheme. Never part of a log, an error or a setting. */
export type Credentials = Readonly<Partial<Record<CredentialField, string>>>;

/** What a scheme needs from the person, in the order in which it is asked for. */
export function credentialFields({ scheme }: AuthScheme): readonly CredentialField[] {
  switch (scheme) {
    case 'none':
      return [];
    case 'bearer':
      return ['token'];
    case 'apiKeyHeader':
      return ['apiKey'];
    case 'hmacQuery':
      return ['apiKey', 'apiSecret'];
    default:
      return scheme satisfies never;
  }
}
