import { cleanText, stripMarkup } from '../../base/cleanText.ts';
import type { Phrase } from '../../base/phrase.ts';
import type { Credentials } from '../auth/credentials.ts';
import { ExchangeError, type Failure } from '../exchangeError.ts';

const maxTextLength = 300;
const maxCodeLength = 60;
const maxValueLength = 200;

/** What a person reads of a text nearly always stands in this much of it. */
const startLength = 16_384;
/** Nobody reads more of a server's text. A pattern that meets a much longer run exhausts the stack. */
export const maxReadLength = 102_400;
/** No form of a credential and no signature is longer; a private key is matched by its lines. */
const maxSecretLength = 4096;

/**
 * Makes a server's text safe to show and to log: no form of the credentials, no markup, nothing
 * invisible, then cut.
 */
export class Redactor {
  /** Takes the credentials out of a text, and leaves all else. */
  readonly removeSecrets: RemoveSecrets;
  private readonly maskSecrets: (text: string) => string;

  constructor(credentials: Credentials) {
    this.maskSecrets = createSecretMask(credentials);
    this.removeSecrets = (text) => this.mask(text).replace(maskedRun, placeholder);
  }

  /** Reads on in a long text only if its start does not fill `maxLength`. */
  redact(text: string, maxLength = maxTextLength, readLength = maxReadLength): string {
    const start = this.clean(this.mask(text, startLength), maxLength);
    const isFilled = start.length === maxLength || text.length <= startLength;
    return isFilled ? start : this.clean(this.mask(text, readLength), maxLength);
  }

  /** What is cut off may be the other half of a secret that still stands at the end. */
  private mask(text: string, maxLength = maxReadLength): string {
    if (text.length <= maxLength) return this.maskSecrets(text);
    return this.maskSecrets(text.slice(0, maxLength)).slice(0, -maxSecretLength);
  }

  /** Once more without markup, which may have parted a secret, or been a part of one. */
  private clean(text: string, maxLength: number): string {
    return cleanText(this.removeSecrets(stripMarkup(text)), maxLength);
  }

  /** Words whose values are a server's; the text itself is ours. */
  redactPhrase({ text, values }: Phrase): Phrase {
    const redacted = values.map((value) => {
      if (typeof value === 'string') return this.redact(value, maxValueLength);
      return typeof value === 'object' ? this.redactPhrase(value) : value;
    });
    return { text, values: redacted };
  }

  /**
   * A failure without a trace of the credentials. It keeps no cause: those of a fetch hold the URL
   * with its signature, or the header that could not be sent.
   */
  toError(failure: Failure): ExchangeError {
    const { serverWords, serverCode, detail } = failure;
    const words = (text: string, maxLength: number): string =>
      this.redact(text, maxLength, 2 * startLength);
    return new ExchangeError({
      ...failure,
      ...(serverWords === undefined ? {} : { serverWords: words(serverWords, maxTextLength) }),
      ...(serverCode === undefined ? {} : { serverCode: words(serverCode, maxCodeLength) }),
      ...(detail === undefined ? {} : { detail: this.detail(detail) }),
    });
  }

  private detail(detail: string | Phrase): string | Phrase {
    return typeof detail === 'string' ? this.redact(detail) : this.redactPhrase(detail);
  }
}

const minSecretLength = 4;
/** A signature in hex or base64, up to the length of RSA's: with it, anyone can repeat the signed request. */
const hexSignature = /(?<![0-9a-f])[0-9a-f]{64,}/gi;
const longRun = /(?<![\w+/-])[\w+/-]{43,}={0,2}/g;
const placeholder = '•••';
/** Stands for one character of a secret, so that what is masked keeps its length. */
const masked = '\u{ffff}';
const maskedRun = /\uffff+/g;

export type RemoveSecrets = (text: string) => string;

/**
 * Masks every form of the credentials in a text that a person or a log will see: as they are and in
 * base64, however much and often they are escaped, and signatures. A server may repeat what it was
 * sent. Cut a text only afterwards: half a secret is not found. Make one for many texts: a private key has
 * many lines.
 */
function createSecretMask(credentials: Credentials): (text: string) => string {
  const forms = secretsIn(credentials)
    .flatMap((secret) => [secret, unescape(secret).text])
    .filter((value) => value.length >= minSecretLength)
    .flatMap(encodingsOf)
    .flatMap((form) => [form, Buffer.from(form).toString('latin1')])
    .sort((left, right) => right.length - left.length);
  const patterns = [...new Set(forms)].map(asPattern);
  const own = patterns.length === 0 ? [] : [new RegExp(patterns.join('|'), 'gi')];
  const findSecrets = (text: string): readonly RegExpExecArray[] => [
    ...[...own, hexSignature].flatMap((pattern) => [...text.matchAll(pattern)]),
    ...[...text.matchAll(longRun)].filter(([run]) => isBase64(run)),
  ];
  return (text) => {
    const unescaped = unescape(text);
    const isSecret = new Uint8Array(text.length);
    for (const { 0: secret, index } of findSecrets(text))
      isSecret.fill(1, index, index + secret.length);
    if (unescaped.text !== text)
      for (const { 0: secret, index } of findSecrets(unescaped.text))
        isSecret.fill(1, unescaped.starts[index], unescaped.starts[index + secret.length]);
    return isSecret.includes(1) ? withMasked(text, isSecret) : text;
  };
}

function withMasked(text: string, isSecret: Uint8Array): string {
  let clean = '';
  for (let at = 0; at < text.length; at += 1)
    clean += isSecret[at] === 1 ? masked : text.charAt(at);
  return clean;
}

/** Base64 has digits, or capitals side by side and small letters; a long word has neither. Not part of the pattern, which would look through a long run from each of its characters. */
function isBase64(run: string): boolean {
  return /[A-Z]/.test(run) && (/\d/.test(run) || (/[A-Z]{2}/.test(run) && /[a-z]/.test(run)));
}

/** The credentials, the lines of a private key, and what `basic` makes of two of them. */
function secretsIn(credentials: Credentials): readonly string[] {
  const { user, password, privateKey = '' } = credentials;
  const joined = user === undefined || password === undefined ? [] : [`${user}:${password}`];
  return [...Object.values(credentials), ...privateKey.split(/\r?\n/), ...joined];
}

function encodingsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, base64, base64.replace(/=+$/, ''), Buffer.from(secret).toString('base64url')];
}

/** A `+` for a space is what forms make of it. */
function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(' ', '[ +]');
}

/** A text without escapes, and where each of its characters, and its end, begins in the text with them. */
type Unescaped = { readonly text: string; readonly starts: Int32Array };

/** One escape at the end of a text, as in a URL, in HTML, or in JSON and other literals. */
const escapeAtEnd =
  /(?:%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|\\(["'\\/bfnrt]))$/i;
const longestEscape = 10;
const [percent, backslash, semicolon] = [0x25, 0x5c, 0x3b];
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/**
 * Takes the escapes out of a text, and those that this leaves, in one pass: what was kept so far is shortened
 * whenever it ends with an escape. The bytes of a URL become one character each, as in Latin-1.
 */
function unescape(text: string): Unescaped {
  const starts = new Int32Array(text.length + 1);
  const kept = new Uint16Array(text.length);
  /** How often each kept character was escaped. */
  const levels = new Uint16Array(text.length);
  let length = 0;
  const keep = (code: number, start: number, level: number): void => {
    kept[length] = code;
    levels[length] = level;
    starts[length] = start;
    length += 1;
  };
  /** A backslash that was escaped less often than what is before it begins an escape itself. */
  const beginsEscape = (): boolean =>
    kept[length - 1] === backslash && (levels[length - 1] ?? 0) < (levels[length - 2] ?? 0);
  const mayEndEscape = (): boolean =>
    (kept[length - 3] === percent ||
      kept[length - 1] === semicolon ||
      [2, 4, 6].some((back) => kept[length - back] === backslash)) &&
    !beginsEscape();
  for (let at = 0; at < text.length; at += 1) {
    keep(text.charCodeAt(at), at, 0);
    while (mayEndEscape()) {
      const end = kept.subarray(Math.max(0, length - longestEscape), length);
      const escape = escapeAtEndOf(String.fromCharCode(...end));
      if (!escape) break;
      const level = 1 + (levels[length - 1] ?? 0);
      length -= escape.length;
      const start = starts[length] ?? 0;
      for (const unit of escape.character.split('')) keep(unit.charCodeAt(0), start, level);
    }
  }
  starts[length] = text.length;
  return { text: Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le'), starts };
}

type Escape = { readonly length: number; readonly character: string };

function escapeAtEndOf(text: string): Escape | undefined {
  const [{ length }, byte, unicode, hex, htmlHex, decimal, name, literal = ''] = escapeAtEnd.exec(
    text,
  ) ?? [''];
  if (length === 0) return undefined;
  const digits = byte ?? unicode ?? hex ?? htmlHex;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  if (code > 0x10_ff_ff) return undefined;
  const word = (name ?? literal).toLowerCase();
  const character = Number.isNaN(code) ? (named[word] ?? literal) : String.fromCodePoint(code);
  return { length, character };
}
