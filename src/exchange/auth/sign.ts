import { createHmac } from 'node:crypto';
import type { QueryPairs } from '../dialect/dialect.ts';
import { recvWindowParam, type AuthScheme, type Credentials, type HmacQuery } from './scheme.ts';

/** What goes out: the query exactly as it was signed, and the headers of the scheme. */
export type SignedQuery = {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Signs a request's parameters. Pure: `nowMs` is the timestamp that is signed. The credentials have
 * the scheme's fields; `credentialsProblem` tells.
 */
export function sign(
  scheme: AuthScheme,
  credentials: Credentials,
  pairs: QueryPairs,
  nowMs: number,
): SignedQuery {
  const { apiKey = '', token = '' } = credentials;
  switch (scheme.scheme) {
    case 'none':
      return { query: encodeQuery(pairs), headers: {} };
    case 'bearer':
      return { query: encodeQuery(pairs), headers: { authorization: `Bearer ${token}` } };
    case 'apiKeyHeader':
      return { query: encodeQuery(pairs), headers: { [scheme.keyHeader]: apiKey } };
    case 'hmacQuery':
      return {
        query: signQuery(scheme, credentials, pairs, nowMs),
        headers: { [scheme.keyHeader]: apiKey },
      };
    default:
      return scheme satisfies never;
  }
}

function signQuery(
  { timestampParam, signatureParam, recvWindowMs }: HmacQuery,
  { apiSecret = '' }: Credentials,
  pairs: QueryPairs,
  nowMs: number,
): string {
  const recvWindow =
    recvWindowMs === null ? [] : [[recvWindowParam, String(recvWindowMs)] as const];
  const query = encodeQuery([...pairs, ...recvWindow, [timestampParam, String(nowMs)]]);
  const signature = createHmac('sha256', apiSecret).update(query).digest('hex');
  return `${query}&${encode(signatureParam)}=${signature}`;
}

/** Percent-encodes by RFC 3986, so that no URL parser on the way changes what was signed. */
export function encodeQuery(pairs: QueryPairs): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
