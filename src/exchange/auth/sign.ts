import { createHmac } from 'node:crypto';
import type { QueryPairs } from '../dialect/dialect.ts';
import type { AuthScheme, Credentials } from './scheme.ts';

/** What goes out: the query exactly as it was signed, and the headers of the scheme. */
export type SignedQuery = {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Signs a request's parameters. Pure: `nowMs` is the timestamp that is signed. */
export function sign(
  scheme: AuthScheme,
  credentials: Credentials,
  pairs: QueryPairs,
  nowMs: number,
): SignedQuery {
  if (scheme.scheme === 'none') return { query: encodeQuery(pairs), headers: {} };
  const query = encodeQuery([...pairs, [scheme.timestampParam, String(nowMs)]]);
  const signature = createHmac('sha256', credentials.apiSecret).update(query).digest('hex');
  return {
    query: `${query}&${encode(scheme.signatureParam)}=${signature}`,
    headers: { [scheme.keyHeader]: credentials.apiKey },
  };
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
