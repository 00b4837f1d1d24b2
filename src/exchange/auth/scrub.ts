import type { Credentials } from './scheme.ts';

const shortestSecret = 6;
/** A signature in hex or base64: who holds one can repeat the request that it signed. */
const signatures = [
  /\b[0-9a-f]{64,128}\b/gi,
  /(?=[\w+/%-]*\d)(?=[\w+/%-]*[A-Z])(?:[\w+/-]|%2B|%2F){43,}(?:=|%3D){0,2}/g,
];

/**
 * Takes every form of the credentials out of a text that a person or a log will see: as they are,
 * URL-encoded and in base64, and signatures. A server may well repeat in its words what it was sent.
 */
export function scrub(text: string, credentials: Credentials): string {
  const secrets = secretsOf(credentials).filter((value) => value.length >= shortestSecret);
  const forms = secrets.flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ]);
  const unsigned = signatures.reduce((clean, form) => clean.replaceAll(form, '•••'), text);
  return forms.reduce((clean, form) => clean.replaceAll(form, '•••'), unsigned);
}

/** The credentials, the lines of a private key, and what `basic` makes of two of them. */
function secretsOf(credentials: Credentials): readonly string[] {
  const { user, password, privateKey = '' } = credentials;
  const joined = user === undefined || password === undefined ? [] : [`${user}:${password}`];
  return [...Object.values(credentials), ...privateKey.split(/\r?\n/), ...joined];
}
