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
  return withNumbers(JSON.parse(withMarkedNumbers(text)) as JsonValue);
}

/** Begins the text that stands for a number until the rest is parsed: `JSON.parse` would round it. */
const mark = '\0';
const shape = String.raw`[+-]?(?:nan|inf(?:inity)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)`;
const number = new RegExp(String.raw`${shape}(?![\w.]|\s*:)`, 'iy');
const marked = new RegExp(`^${mark}${shape}$`, 'i');

const [quote, backslash, comma] = [34, 92, 44];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/**
 * The text with every number as a marked string. Counts what stands outside of strings: brackets, and the
 * commas between values.
 */
function withMarkedNumbers(text: string): string {
  let [result, copiedTo, depth, values] = ['', 0, 0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === closeList || code === closeObject) depth -= 1;
    else if (code === comma) values += 1;
    else if (code === openList || code === openObject) {
      depth += 1;
      values += 1;
      if (depth > deepest) throw new JsonTooComplex(phrase('nested more than {0} deep', deepest));
    } else if (mayBeginNumber(code)) {
      number.lastIndex = at;
      const [token] = number.exec(text) ?? [];
      if (token === undefined) continue;
      result += `${text.slice(copiedTo, at)}"\\u0000${token}"`;
      copiedTo = at + token.length;
      at = copiedTo - 1;
    }
    if (values > mostValues)
      throw new JsonTooComplex(phrase('of more than {0} values', mostValues));
  }
  return result + text.slice(copiedTo);
}

/** A digit, a sign or a point, or the first letter of a word for no number. */
function mayBeginNumber(code: number): boolean {
  return (code >= 43 && code <= 57) || code === 73 || code === 78 || code === 105 || code === 110;
}

/** Where the string that begins at `start` ends: at the next quote that no backslash escapes. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return text.length;
}

/** The parsed value with a JsonNumber for each marked string. Its lists and objects stay: nobody else has them yet. */
function withNumbers(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return value.startsWith(mark) && marked.test(value)
      ? new JsonNumber(value.slice(mark.length))
      : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, JsonValue>;
  for (const name of Object.keys(members)) members[name] = withNumbers(members[name] ?? null);
  return value;
}

function isJsonNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
}
