import { cleanText, stripMarkup } from '../../base/cleanText.ts';
import type { Phrase } from '../../base/phrase.ts';
import type { Credentials } from '../auth/credentials.ts';
import { ExchangeError, type Failure } from '../exchangeError.ts';

const maxTextLength = 300;
const maxCodeLength = 60;
const maxValueLength = 200;

/** A pattern that meets a long run of characters in a longer text exhausts the stack. */
const maxPartLength = 16_384;
/** No form of a credential and no signature is longer; a private key is matched by its lines. */
const maxSecretLength = 4096;
/** Nobody reads more of a server's text, and each of its characters may take several passes. */
export const maxReadLength = 102_400;

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
    const start = this.clean(this.mask(text, maxPartLength), maxLength);
    const isFilled = start.length === maxLength || text.length <= maxPartLength;
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
      this.redact(text, maxLength, 2 * maxPartLength);
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
    .flatMap((secret) => decodedTexts(secret).map(({ text }) => text))
    .filter((value) => value.length >= minSecretLength)
    .flatMap(encodingsOf)
    .sort((left, right) => right.length - left.length)
    .map(asPattern);
  const own = forms.length === 0 ? [] : [new RegExp(forms.join('|'), 'gi')];
  const findSecrets = (text: string): readonly RegExpExecArray[] => [
    ...[...own, hexSignature].flatMap((pattern) => [...text.matchAll(pattern)]),
    ...[...text.matchAll(longRun)].filter(([run]) => isBase64(run)),
  ];
  return (text) => maskInParts(text, (part) => maskFound(part, findSecrets));
}

/** Also what is found in the text without its escapes. */
function maskFound(text: string, find: (text: string) => readonly RegExpExecArray[]): string {
  const isSecret = new Uint8Array(text.length);
  for (const { text: decoded, startOf } of decodedTexts(text))
    for (const { 0: secret, index } of find(decoded))
      isSecret.fill(1, startOf(index), startOf(index + secret.length));
  if (!isSecret.includes(1)) return text;
  let clean = '';
  for (let at = 0; at < text.length; at += 1)
    clean += isSecret[at] === 1 ? masked : text.charAt(at);
  return clean;
}

/** The parts overlap, so that each secret is whole in one of them. */
function maskInParts(text: string, maskPart: (text: string) => string): string {
  const step = maxPartLength - maxSecretLength;
  let [clean, overlap] = ['', ''];
  for (let at = 0; at < text.length; at += step) {
    const part = maskPart(overlap + text.slice(at + overlap.length, at + maxPartLength));
    clean += part.slice(0, step);
    overlap = part.slice(step);
  }
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

/** A text without escapes, and where a character of it begins in the text with them. */
type DecodedText = { readonly text: string; readonly startOf: (index: number) => number };

/** As text may be escaped in a URL, in HTML, or in JSON and other literals. */
const escapes =
  /(?:%[0-9a-f]{2})+|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\["'\\/bfnrt]/gi;
const names = new Map([
  ...(['&amp;&', '&lt;<', '&gt;>', '&quot;"', "&apos;'"] as const).map(splitLast),
  ...(['\\b\b', '\\f\f', '\\n\n', '\\r\r', '\\t\t'] as const).map(splitLast),
]);
/** What is escaped more often than that was not echoed by a server. */
const maxLevels = 8;

/** A text as it is, then without its escapes, and so on while there are some. */
function decodedTexts(text: string): readonly DecodedText[] {
  const levels: DecodedText[] = [{ text, startOf: (index) => index }];
  for (let last = levels[0]; last && levels.length <= maxLevels;) {
    const next = decodeOnce(last);
    if (next === last) break;
    levels.push(next);
    last = next;
  }
  return levels;
}

/** A decoded text is never longer than it was. */
function decodeOnce(level: DecodedText): DecodedText {
  const { text, startOf } = level;
  const starts = new Int32Array(text.length + 1);
  let [decoded, end] = ['', 0];
  const add = (part: string, at: number, step: 0 | 1): void => {
    const { length } = decoded;
    for (let index = 0; index < part.length; index += 1)
      starts[length + index] = startOf(at + index * step);
    decoded += part;
  };
  for (const { 0: escape, index: at } of text.matchAll(escapes)) {
    add(text.slice(end, at), end, 1);
    if (escape.length === 3) add(byteOf(escape), at, 0);
    else for (const { character, offset } of charactersOf(escape)) add(character, at + offset, 0);
    end = at + escape.length;
  }
  if (end === 0) return level;
  add(text.slice(end), end, 1);
  starts[decoded.length] = startOf(text.length);
  return { text: decoded, startOf: (index) => starts[index] ?? 0 };
}

/** A single URL-encoded byte, the only escape of three characters: texts made to block the window have many. */
function byteOf(escape: string): string {
  return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
}

/** What an escape stands for, and where each character begins: URL-encoded bytes are UTF-8 if they can be. */
function charactersOf(escape: string): { readonly character: string; readonly offset: number }[] {
  if (!escape.startsWith('%')) return [{ character: characterOf(escape), offset: 0 }];
  const bytes = Buffer.from(escape.replaceAll('%', ''), 'hex');
  const utf8 = bytes.toString('utf8');
  const encoding = utf8.includes('\u{fffd}') ? 'latin1' : 'utf8';
  let offset = 0;
  return Array.from(bytes.toString(encoding), (character) => {
    const begin = offset;
    offset += 3 * Buffer.byteLength(character, encoding);
    return { character, offset: begin };
  });
}

function characterOf(escape: string): string {
  const digits = /^(?:&#x|\\[ux])([0-9a-f]+)/i.exec(escape)?.[1];
  const decimal = /^&#(\d+)/.exec(escape)?.[1];
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  if (Number.isNaN(code)) return names.get(escape.toLowerCase()) ?? escape.slice(1);
  return code > 0x10_ff_ff ? escape : String.fromCodePoint(code);
}

function splitLast(pair: string): readonly [escape: string, character: string] {
  return [pair.slice(0, -1), pair.slice(-1)];
}
