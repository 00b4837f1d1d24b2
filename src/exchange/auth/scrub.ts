import type { Credentials } from './scheme.ts';

const shortestSecret = 6;
/** An HMAC in hex: who holds one can repeat the request that it signed. */
const signature = /\b[0-9a-f]{64,128}\b/gi;

/**
 * Takes every form of the credentials out of a text that a person or a log will see: as they are,
 * URL-encoded and in base64, and signatures. A server may well repeat in its words what it was sent.
 */
export function scrub(text: string, credentials: Credentials): string {
  const values: readonly string[] = Object.values(credentials);
  const secrets = values.filter((value) => value.length >= shortestSecret);
  const forms = secrets.flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ]);
  return forms.reduce(
    (clean, form) => clean.replaceAll(form, '•••'),
    text.replace(signature, '•••'),
  );
}
