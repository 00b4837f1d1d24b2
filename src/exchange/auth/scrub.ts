import type { Credentials } from './scheme.ts';

const shortestSecret = 6;
/** A signature in hex or base64, be it as long as RSA's: who holds one can repeat the request that it signed. */
const hexSignature = /(?<![0-9a-f])[0-9a-f]{64,}/gi;
const longRun = /(?:[\w+/-]|%2B|%2F){43,}(?:=|%3D){0,2}/g;
const hidden = '•••';

/** Takes out of a text what nobody is told. */
export type Scrub = (text: string) => string;

/**
 * Takes every form of the credentials out of a text that a person or a log will see: as they are and
 * in base64, however much of them is URL-encoded, and signatures. A server may well repeat in its
 * words what it was sent. Cut a text only afterwards: half a secret is not found. Make one for many
 * texts: a private key has many lines.
 */
export function scrubberOf(credentials: Credentials): Scrub {
  const forms = secretsOf(credentials)
    .filter((value) => value.length >= shortestSecret)
    .flatMap(formsOf)
    .sort((left, right) => right.length - left.length)
    .map(asPattern);
  const own = forms.length === 0 ? [] : [new RegExp(forms.join('|'), 'gi')];
  const patterns = [...own, hexSignature];
  return (text) =>
    patterns
      .reduce((clean, pattern) => clean.replace(pattern, hidden), text)
      .replace(longRun, (run) => (isBase64(run) ? hidden : run));
}

/** Tells base64 from a long word. Not part of the pattern, which would look through a long run from each of its characters. */
function isBase64(run: string): boolean {
  return /\d/.test(run) && /[A-Z]/.test(run);
}

/** The credentials, the lines of a private key, and what `basic` makes of two of them. */
function secretsOf(credentials: Credentials): readonly string[] {
  const { user, password, privateKey = '' } = credentials;
  const joined = user === undefined || password === undefined ? [] : [`${user}:${password}`];
  return [...Object.values(credentials), ...privateKey.split(/\r?\n/), ...joined];
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('base64'), bytes.toString('base64url')];
}

/** Each sign by itself as it is or URL-encoded: nobody agrees which of them to encode. */
function asPattern(text: string): string {
  return text.replace(/[^A-Za-z0-9]/gu, (sign) => `(?:${waysToWrite(sign).join('|')})`);
}

/** A `+` for a space is what forms make of it. */
function waysToWrite(sign: string): readonly string[] {
  const literal = sign.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  const encoded = Buffer.from(sign).toString('hex').replace(/../g, '%$&');
  return sign === ' ' ? [literal, encoded, '\\+'] : [literal, encoded];
}
