import type { Credentials } from './scheme.ts';

const shortestSecret = 6;
/** An HMAC in hex: who holds one can repeat the request that it signed. */
const signature = '\\b[0-9a-f]{64,128}\\b';

/**
 * Takes every form of the credentials out of a text that a person or a log will see: as they are,
 * URL-encoded and in base64, and signatures. A server may well repeat in its words what it was sent.
 * Cut a text only afterwards: half a secret is not found.
 */
export function scrub(text: string, credentials: Credentials): string {
  const forms = Object.values(credentials)
    .filter((value) => value.length >= shortestSecret)
    .flatMap(formsOf)
    .sort((left, right) => right.length - left.length)
    .map(asPattern);
  return text.replace(new RegExp([...forms, signature].join('|'), 'gi'), '•••');
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ];
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
