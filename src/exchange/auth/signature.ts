import { createHmac, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { Credentials, Recipe } from './scheme.ts';

/** Signs a text, encoded as the recipe wants it. Throws where the credentials do not go into a signature. */
export type Signature = (text: string) => string;

/** What a recipe's algorithm makes of texts with the person's secret or private key, which is read once, when it is needed. */
export function signatureOf(recipe: Recipe, credentials: Credentials): Signature {
  let signed: SignData | undefined;
  return (text) => {
    signed ??= signing(recipe, credentials);
    return signed(Buffer.from(text)).toString(recipe.encoding);
  };
}

type SignData = (data: Buffer) => Buffer;

function signing(
  { algorithm, secretEncoding }: Recipe,
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
      return byKey(null, createPrivateKey(privateKey));
    case 'rsaSha256':
      return byKey('sha256', createPrivateKey(privateKey));
    default:
      return algorithm satisfies never;
  }
}

const hashes = { hmacSha256: 'sha256', hmacSha384: 'sha384', hmacSha512: 'sha512' } as const;

function byKey(hash: string | null, key: KeyObject): SignData {
  return (data) => sign(hash, data, key);
}

function secretBytes(secret: string, encoding: Recipe['secretEncoding']): Buffer {
  return Buffer.from(secret, encoding === 'text' ? 'utf8' : encoding);
}
