import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import {
  defaultSigningSpec,
  presetScheme,
  type AuthScheme,
} from '../../src/exchange/auth/scheme.ts';
import type { SeenRequest } from './hostileServer.ts';
import type { Credentials } from '../../src/exchange/auth/credentials.ts';

/** A scheme, credentials for it, and how an exchange that knows them checks a request that it received. */
export type VerifyingScheme = {
  readonly name: string;
  readonly auth: AuthScheme;
  readonly credentials: Credentials;
  /** Credentials of somebody else, if one changed character would be no credential at all. */
  readonly others?: Credentials;
  /** Written from what the scheme promises to exchanges, with nothing of the signer. */
  readonly isRight: (request: SeenRequest) => boolean;
  /** Where the time of a request is; nowhere in one that is not signed. */
  readonly timeIn?: 'header' | 'query';
};

const [apiKey, apiSecret, passphrase] = ['KEY-1f3a', 'SECRET-9c2e', 'PHRASE of 7'];
const bytes = Buffer.from('a secret of bytes');
const ed25519 = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = { type: 'pkcs8', format: 'pem' } as const;
const keyText = ({ privateKey }: typeof rsa): string => privateKey.export(pem).toString();

export const verifyingSchemes: readonly VerifyingScheme[] = [
  {
    name: 'bearer',
    auth: presetScheme('bearer'),
    credentials: { token: 'TOKEN/+=77aa' },
    isRight: ({ headers }) => headers.authorization === 'Bearer TOKEN/+=77aa',
  },
  {
    name: 'basic',
    auth: presetScheme('basic'),
    credentials: { user: 'someone', password: 'päss: word' },
    isRight: ({ headers }) => {
      const [, text = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
      return Buffer.from(text, 'base64').toString() === 'someone:päss: word';
    },
  },
  {
    name: 'apiKeyHeader',
    auth: presetScheme('apiKeyHeader', { keyHeader: 'X-Own-Key' }),
    credentials: { apiKey },
    isRight: ({ headers }) => headers['x-own-key'] === apiKey,
  },
  {
    name: 'hmacQuery',
    auth: presetScheme('hmacQuery', { recvWindowMs: 5000 }),
    credentials: { apiKey, apiSecret },
    timeIn: 'query',
    isRight: (request) => {
      const [, signed = '', signature] =
        /^(.*)&signature=([0-9a-f]+)$/.exec(queryOf(request)) ?? [];
      const isWhole = /(?:^|&)recvWindow=5000&timestamp=\d{13}$/.test(signed);
      return isWhole && hasKey(request) && hmac('sha256', apiSecret, signed, 'hex') === signature;
    },
  },
  {
    name: 'hmacHeaders',
    auth: presetScheme('hmacHeaders', { recvWindowMs: 5000 }),
    credentials: { apiKey, apiSecret },
    timeIn: 'header',
    isRight: (request) => {
      const { headers } = request;
      const signed = `${timeOf(request)}${apiKey}5000${queryOf(request)}`;
      const isOurs = hmac('sha256', apiSecret, signed, 'hex') === headers['x-signature'];
      return isOurs && hasKey(request) && headers['x-recv-window'] === '5000';
    },
  },
  {
    name: 'hmacIsoPassphrase',
    auth: presetScheme('hmacIsoPassphrase'),
    credentials: { apiKey, apiSecret, passphrase },
    timeIn: 'header',
    isRight: (request) => {
      const { headers } = request;
      const isIso = new Date(timeOf(request)).toISOString() === timeOf(request);
      const isOurs =
        hmac('sha256', apiSecret, target(request), 'base64') === headers['x-signature'];
      return isIso && isOurs && hasKey(request) && headers['x-passphrase'] === passphrase;
    },
  },
  {
    name: 'ed25519Query',
    auth: presetScheme('ed25519Query', { recvWindowMs: 5000 }),
    credentials: { apiKey, privateKey: keyText(ed25519) },
    others: { apiKey, privateKey: keyText(generateKeyPairSync('ed25519')) },
    timeIn: 'query',
    isRight: (request) => {
      const [, signed = '', sent = ''] = /^(.*)&signature=([^&]+)$/.exec(queryOf(request)) ?? [];
      const isWhole = /(?:^|&)recvWindow=5000&timestamp=\d{13}$/.test(signed);
      const signature = Buffer.from(decodeURIComponent(sent), 'base64');
      const isOurs = verify(null, Buffer.from(signed), ed25519.publicKey, signature);
      return isWhole && isOurs && hasKey(request);
    },
  },
  {
    name: 'custom with HMAC-SHA512 of the sorted parameters before they are encoded',
    auth: {
      ...defaultSigningSpec,
      scheme: 'custom',
      algorithm: 'hmacSha512',
      timestamp: 's',
      secretEncoding: 'base64',
      sortQuery: true,
      encoding: 'base64url',
      stringToSign: '{method} {path}|{rawQuery}|{timestamp}',
      headers: { ...defaultSigningSpec.headers, 'X-PASSPHRASE': '{passphraseSignature}' },
    },
    credentials: { apiKey, apiSecret: bytes.toString('base64'), passphrase },
    timeIn: 'header',
    isRight: (request) => {
      const { method, path, headers } = request;
      const pairs = [...new URLSearchParams(queryOf(request))];
      const isSorted =
        pairs.map(([name]) => name).join() ===
        pairs
          .map(([name]) => name)
          .sort()
          .join();
      const raw = pairs.map((pair) => pair.join('=')).join('&');
      const signed = `${method} ${path.split('?')[0]}|${raw}|${timeOf(request)}`;
      const isOurs = hmac('sha512', bytes, signed, 'base64url') === headers['x-signature'];
      const phrase = hmac('sha512', bytes, passphrase, 'base64url');
      return isSorted && isOurs && hasKey(request) && headers['x-passphrase'] === phrase;
    },
  },
  {
    name: 'custom with Ed25519',
    auth: { ...defaultSigningSpec, scheme: 'custom', algorithm: 'ed25519', encoding: 'base64' },
    credentials: { apiKey, privateKey: keyText(ed25519) },
    others: { apiKey, privateKey: keyText(generateKeyPairSync('ed25519')) },
    timeIn: 'header',
    isRight: (request) => {
      const signature = Buffer.from(String(request.headers['x-signature']), 'base64');
      const isOurs = verify(null, Buffer.from(target(request)), ed25519.publicKey, signature);
      return isOurs && hasKey(request);
    },
  },
  {
    name: 'custom with RSA-SHA256, in the query',
    auth: {
      ...defaultSigningSpec,
      scheme: 'custom',
      algorithm: 'rsaSha256',
      encoding: 'base64',
      stringToSign: '{query}',
      headers: { 'X-API-KEY': '{apiKey}' },
      query: { signature: '{signature}', timestamp: '{timestamp}' },
    },
    credentials: { apiKey, privateKey: keyText(rsa) },
    others: { apiKey, privateKey: keyText(generateKeyPairSync('rsa', { modulusLength: 2048 })) },
    timeIn: 'query',
    isRight: (request) => {
      const [, signed = '', sent = ''] = /^(.*)&signature=([^&]+)$/.exec(queryOf(request)) ?? [];
      const isWhole = /(?:^|&)timestamp=\d{13}$/.test(signed) && !/[+/=]/.test(sent);
      const signature = Buffer.from(decodeURIComponent(sent), 'base64');
      const isOurs = verify('sha256', Buffer.from(signed), rsa.publicKey, signature);
      return isWhole && isOurs && hasKey(request);
    },
  },
];

/** The query as it arrived, still encoded. */
function queryOf({ path }: SeenRequest): string {
  return path.split('?')[1] ?? '';
}

function timeOf({ headers }: SeenRequest): string {
  return String(headers['x-timestamp']);
}

/** Time, method and request target, as they arrived. */
function target(request: SeenRequest): string {
  return `${timeOf(request)}${request.method}${request.path}`;
}

function hasKey({ headers }: SeenRequest): boolean {
  return headers['x-api-key'] === apiKey;
}

function hmac(
  hash: string,
  secret: string | Buffer,
  text: string,
  encoding: 'hex' | 'base64' | 'base64url',
): string {
  return createHmac(hash, secret).update(text).digest(encoding);
}
