import { createHash } from 'node:crypto';
import type { QueryPairs } from '../dialect/dialect.ts';
import { recipeOf } from './recipes.ts';
import type { AuthScheme, Credentials, Recipe } from './scheme.ts';
import { signatureOf, type Signature } from './signature.ts';
import { namesUsed, render, type TemplateValues } from './templates.ts';

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
export type Sign = (request: UnsignedRequest, nowMs: number) => SignedQuery;

/**
 * Signs by a scheme and credentials: make one for many requests. The scheme's templates are sound and
 * the credentials have its fields; `schemeProblem` and `credentialsProblem` tell.
 */
export function signerOf(auth: AuthScheme, credentials: Credentials): Sign {
  const recipe = recipeOf(auth);
  const signature = signatureOf(recipe, credentials);
  return (request, nowMs) =>
    signed(recipe, plainValues(recipe, credentials, signature, nowMs), signature, request);
}

function signed(
  recipe: Recipe,
  plain: TemplateValues,
  signature: Signature,
  request: UnsignedRequest,
): SignedQuery {
  const [before, after] = addedPairs(recipe);
  const fill = (pairs: QueryPairs, values: TemplateValues): QueryPairs =>
    pairs.map(([name, template]) => [name, render(template, values)]);
  const signedPairs = inOrder(recipe, [...request.pairs, ...fill(before, plain)]);
  const known = withRequest(plain, request, signedPairs);
  const values = { ...known, signature: () => signature(render(recipe.stringToSign, known)) };
  return {
    query: encodeQuery([...signedPairs, ...fill(after, values)]),
    headers: Object.fromEntries(fill(Object.entries(recipe.headers), values)),
  };
}

/** The scheme's own parameters: those that are signed, and those that carry what was made of it. */
function addedPairs({ query }: Recipe): readonly [before: QueryPairs, after: QueryPairs] {
  const carries = ([, template]: readonly [string, string]) =>
    namesUsed(template).includes('signature');
  const pairs = Object.entries(query);
  return [pairs.filter((pair) => !carries(pair)), pairs.filter(carries)];
}

function inOrder({ sortQuery }: Recipe, pairs: QueryPairs): QueryPairs {
  return sortQuery
    ? pairs.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
    : pairs;
}

function plainValues(
  recipe: Recipe,
  credentials: Credentials,
  signature: Signature,
  nowMs: number,
): TemplateValues {
  const { apiKey = '', passphrase = '', token = '', user = '', password = '' } = credentials;
  return {
    timestamp: () => writeTimestamp(recipe, nowMs),
    recvWindow: () => (recipe.recvWindowMs === null ? '' : String(recipe.recvWindowMs)),
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

function writeTimestamp({ timestamp, aheadMs }: Recipe, nowMs: number): string {
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
    default:
      return timestamp satisfies never;
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
