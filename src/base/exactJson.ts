import { inEnglish, phrase, type Phrase } from './phrase.ts';

type RawJson = { rawJSON(text: string): object };

/** What `JSON.stringify` writes as this number, digit for digit. `text` is a number as JSON has them. */
export function rawNumber(text: string): object {
  // Node 22 and later have it; TypeScript's library does not know it yet.
  return (JSON as unknown as RawJson).rawJSON(text);
}

/** A JSON number as its source text, whatever its size: tells `1.10` apart from the string `"1.10"`. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** `JSON.stringify` writes the number as the wire did; one that JSON does not have, such as `NaN`, as a string. */
  toJSON(): object | string {
    return isJsonNumber(this.text) ? rawNumber(this.text) : this.text;
  }
}

/** A JSON value whose numbers are still the text of the wire. */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** The same value, whatever the order of the names in its objects. */
export function sortedByName(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedByName);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortedByName(member)]));
}

type SourceReviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: SourceReviver) => JsonValue;

/** The API nests a handful deep, and its longest pages hold thousands of values. */
const deepest = 64;
const mostValues = 250_000;

/** Thrown for JSON made to exhaust its parser; the message says what there is too much of. */
export class JsonTooComplex extends SyntaxError {
  override readonly name = 'JsonTooComplex';
  readonly problem: Phrase;

  constructor(problem: Phrase) {
    super(inEnglish(problem));
    this.problem = problem;
  }
}

/**
 * Parses JSON without touching a digit. Of a name that an object has twice, the last counts. Numbers that JSON
 * does not have, such as `NaN`, `.5` or `+1`, are read too: then no other value is lost. Throws a
 * SyntaxError on text that is not JSON, and JsonTooComplex on more than 64 levels or 250 000 values, before
 * anything is built of them.
 */
export function parseJson(text: string): JsonValue {
  assertNotTooComplex(text);
  try {
    return parseExact(text);
  } catch (error) {
    if (!/^\s*[[{]/.test(text)) throw error;
    return parseExact(withMarkedNumbers(text));
  }
}

function parseExact(text: string): JsonValue {
  return parse(text, (_key, value, context) => {
    if (typeof value === 'number') return exactNumber(context?.source);
    const isNoNumber = typeof value === 'string' && value.startsWith(noNumber);
    return isNoNumber ? new JsonNumber(value.slice(noNumber.length)) : value;
  });
}

/** Begins the text that stands for a number that JSON does not have. */
const noNumber = '\0not a number ';

const numberLike = /[+-]?(?:nan|inf(?:inity)?|\.?\d[\w.+-]*)/iy;

/** Writes what looks like a number, but is none in JSON, as a marked text. */
function withMarkedNumbers(text: string): string {
  let [marked, copiedTo] = ['', 0];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') at = endOfString(text, at);
    else if (/[\d.+\-ni]/i.test(text[at] ?? '')) {
      numberLike.lastIndex = at;
      const [token = ''] = numberLike.exec(text) ?? [];
      if (token !== '' && !isJsonNumber(token)) {
        marked += text.slice(copiedTo, at) + JSON.stringify(noNumber + token);
        copiedTo = at + token.length;
      }
      at += Math.max(0, token.length - 1);
    }
  }
  return marked + text.slice(copiedTo);
}

function isJsonNumber(token: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(token);
}

/** Counts what stands outside of strings: brackets, and the commas between values. */
function assertNotTooComplex(text: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      depth += 1;
      values += 1;
    }
    if (depth > deepest) throw new JsonTooComplex(phrase('nested more than {0} deep', deepest));
    if (values > mostValues)
      throw new JsonTooComplex(phrase('of more than {0} values', mostValues));
  }
}

/** Where the string that begins at `start` ends: at the next quote that no backslash escapes. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function exactNumber(source: string | undefined): JsonNumber {
  if (source === undefined) throw new Error('This Node does not give the source text of numbers.');
  return new JsonNumber(source);
}
