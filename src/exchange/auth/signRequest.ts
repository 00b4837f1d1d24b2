import { createHmac, createPrivateKey, sign, createHash, type KeyObject } from 'node:crypto';
import type { SigningSpec } from './scheme.ts';
import { namesUsed, render, type TemplateValues } from './templates.ts';
import type { Credentials } from './credentials.ts';

/** Names and values of a query string in the order in which they are sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Signs a text, encoded as the spec says. Throws if the credentials cannot make a signature. */
type SignText = (text: string) => string;

/** Signs texts with a spec's algorithm and the secret or private key, which is read once, when it is needed. */
export function createTextSigner(spec: SigningSpec, credentials: Credentials): SignText {
  let signed: SignData | undefined;
  return (text) => {
    signed ??= createDataSigner(spec, credentials);
    return signed(Buffer.from(text)).toString(spec.encoding);
  };
}

type SignData = (data: Buffer) => Buffer;

function createDataSigner(
  { algorithm, secretEncoding }: SigningSpec,
  { apiSecret = '', privateKey = '' }: Credentials,
): SignData {
  switch (algorithm) {
    case 'hmacSha256':
    case 'hmacSha384':
    case 'hmacSha512': {
      const secret = secretBytes(apiSecret, secretEncoding);
      return (data) => createHmac(hashes[algorithm], secret).update(data).digest();
    }
    case 'ed25519':
      return signWithKey(null, createPrivateKey(privateKey));
    case 'rsaSha256':
      return signWithKey('sha256', createPrivateKey(privateKey));
  }
}

const hashes = { hmacSha256: 'sha256', hmacSha384: 'sha384', hmacSha512: 'sha512' } as const;

function signWithKey(hash: string | null, key: KeyObject): SignData {
  return (data) => sign(hash, data, key);
}

function secretBytes(secret: string, encoding: SigningSpec['secretEncoding']): Buffer {
  return Buffer.from(secret, encoding === 'text' ? 'utf8' : encoding);
}

/** A request before it is signed. */
export type UnsignedRequest = {
  readonly method: string;
  /** Without a query. */
  readonly url: string;
  readonly pairs: QueryPairs;
};

/** What goes out: the query exactly as it was signed, and the headers of the scheme. */
export type SignedQuery = {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Signs requests; `nowMs` is the time that is signed. */
export type SignRequest = (request: UnsignedRequest, nowMs: number) => SignedQuery;

/**
 * Signs by a scheme and credentials: make one for many requests. The scheme's templates must be valid,
 * and the credentials must have its fields: `schemeProblem` and `credentialsProblem` check that.
 */
export function createSigner(spec: SigningSpec, credentials: Credentials): SignRequest {
  const signature = createTextSigner(spec, credentials);
  return (request, nowMs) =>
    signRequest(spec, plainValues(spec, credentials, signature, nowMs), signature, request);
}

function signRequest(
  spec: SigningSpec,
  plain: TemplateValues,
  signature: SignText,
  request: UnsignedRequest,
): SignedQuery {
  const [before, after] = authParameters(spec);
  const fill = (pairs: QueryPairs, values: TemplateValues): QueryPairs =>
    pairs.map(([name, template]) => [name, render(template, values)]);
  const signedPairs = inOrder(spec, [...request.pairs, ...fill(before, plain)]);
  const known = withRequest(plain, request, signedPairs);
  const values = { ...known, signature: () => signature(render(spec.stringToSign, known)) };
  return {
    query: encodeQuery([...signedPairs, ...fill(after, values)]),
    headers: Object.fromEntries(fill(Object.entries(spec.headers), values)),
  };
}

/** The scheme's own parameters: those that are signed, and those that carry what was made of it. */
function authParameters({ query }: SigningSpec): readonly [before: QueryPairs, after: QueryPairs] {
  const carries = ([, template]: readonly [string, string]) =>
    namesUsed(template).includes('signature');
  const pairs = Object.entries(query);
  return [pairs.filter((pair) => !carries(pair)), pairs.filter(carries)];
}

function inOrder({ sortQuery }: SigningSpec, pairs: QueryPairs): QueryPairs {
  return sortQuery
    ? pairs.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
    : pairs;
}

function plainValues(
  spec: SigningSpec,
  credentials: Credentials,
  signature: SignText,
  nowMs: number,
): TemplateValues {
  const { apiKey = '', passphrase = '', token = '', user = '', password = '' } = credentials;
  return {
    timestamp: () => writeTimestamp(spec, nowMs),
    recvWindow: () => (spec.recvWindowMs === null ? '' : String(spec.recvWindowMs)),
    apiKey: () => apiKey,
    passphrase: () => passphrase,
    token: () => token,
    basic: () => Buffer.from(`${user}:${password}`).toString('base64'),
    passphraseSignature: () => signature(passphrase),
  };
}

function withRequest(
  plain: TemplateValues,
  { method, url }: UnsignedRequest,
  pairs: QueryPairs,
): TemplateValues {
  const { host, pathname } = new URL(url);
  const query = encodeQuery(pairs);
  const rawQuery = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  const target = (text: string) => (text === '' ? pathname : `${pathname}?${text}`);
  return {
    ...plain,
    method: () => method,
    host: () => host,
    path: () => pathname,
    query: () => query,
    rawQuery: () => rawQuery,
    target: () => target(query),
    rawTarget: () => target(rawQuery),
    bodySha256: () => createHash('sha256').digest('hex'),
    bodySha512: () => createHash('sha512').digest('hex'),
  };
}

function writeTimestamp({ timestamp, aheadMs }: SigningSpec, nowMs: number): string {
  const atMs = nowMs + aheadMs;
  switch (timestamp) {
    case 'ms':
      return String(atMs);
    case 'us':
      return `${atMs}000`;
    case 's':
      return String(Math.floor(atMs / 1000));
    case 'iso':
      return new Date(atMs).toISOString();
  }
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
