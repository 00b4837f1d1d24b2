import { createHmac, sign } from 'node:crypto';
import type { Credentials, Recipe } from './scheme.ts';

/** What a recipe's algorithm makes of a text with the person's secret or private key, encoded. */
export function signature(recipe: Recipe, credentials: Credentials, text: string): string {
  return signed(recipe, credentials, Buffer.from(text)).toString(recipe.encoding);
}

function signed(
  { algorithm, secretEncoding }: Recipe,
  { apiSecret = '', privateKey = '' }: Credentials,
  data: Buffer,
): Buffer {
  const hmac = (hash: string) =>
    createHmac(hash, secretBytes(apiSecret, secretEncoding)).update(data).digest();
  switch (algorithm) {
    case 'hmacSha256':
      return hmac('sha256');
    case 'hmacSha384':
      return hmac('sha384');
    case 'hmacSha512':
      return hmac('sha512');
    case 'ed25519':
      return sign(null, data, privateKey);
    case 'rsaSha256':
      return sign('sha256', data, privateKey);
    default:
      return algorithm satisfies never;
  }
}

function secretBytes(secret: string, encoding: Recipe['secretEncoding']): Buffer {
  return Buffer.from(secret, encoding === 'text' ? 'utf8' : encoding);
}
