import { isNumberText } from '../base/decimal.ts';
import { inEnglish, phrase, type Phrase } from '../base/phrase.ts';
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from './json.ts';
import type { BadRecord, Decoded, NumberText } from './records.ts';

/**
 * Thrown when an answer as a whole is not what the interface promises; the problem names the field and
 * quotes the server as it is: it is scrubbed, cleaned and cut where it becomes part of a failure.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly problem: Phrase;

  constructor(problem: Phrase) {
    super(inEnglish(problem));
    this.problem = problem;
  }
}

/** Given in place of a value, not thrown: a page may have 100 000, and an error each would hold the window for a second. */
export class Unreadable {
  readonly problem: Phrase;

  constructor(problem: Phrase) {
    this.problem = problem;
  }
}

/** Reads one value at `path`. Records set aside on the way go to `badRecords`. */
export type Reader<Value> = (
  value: JsonValue | undefined,
  path: string,
  badRecords: BadRecord[],
) => Value | Unreadable;
type Fields<Record> = { [Field in Exclude<keyof Record, 'extra'>]-?: Reader<Record[Field]> };

/** Applies a reader to a whole answer; throws DecodeError where that cannot be read. */
export function decode<Value>(reader: Reader<Value>, answer: JsonValue): Decoded<Value> {
  const badRecords: BadRecord[] = [];
  const value = reader(answer, '$', badRecords);
  if (value instanceof Unreadable) throw new DecodeError(value.problem);
  return { value, badRecords };
}

/** A string. */
export const text: Reader<string> = (value, path) =>
  typeof value === 'string' ? value : fail(path, phrase('a string'), value);

/** True or false. */
export const flag: Reader<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : fail(path, phrase('true or false'), value);

/**
 * A number of a size that can be shown, as its source text. Some exchanges quote their numbers so
 * that nobody rounds them: text of a JSON number's strict shape is taken for one.
 */
export const number: Reader<NumberText> = (value, path) => {
  const source = sourceOf(value);
  return source !== undefined && isNumberText(source)
    ? source
    : fail(path, phrase('a number'), value);
};

/** A whole number of up to 40 digits, as its source text; it may be quoted as well. */
export const integer: Reader<NumberText> = (value, path) => {
  const source = sourceOf(value);
  return source !== undefined && /^-?(?:0|[1-9]\d{0,39})$/.test(source)
    ? source
    : fail(path, phrase('an integer'), value);
};

/** A whole number that tells how much, not which: some write 10 as `10.0`. As its source text. */
export const wholeNumber: Reader<NumberText> = (value, path, badRecords) => {
  const source = sourceOf(value);
  const isWhole = source !== undefined && /^-?(?:0|[1-9]\d{0,39})\.0{1,40}$/.test(source);
  return isWhole ? source : integer(value, path, badRecords);
};

/** A count of 0 or more; null where the server gave none, or what cannot be one: no rows depend on it. */
export const count: Reader<NumberText | null> = (value) => {
  const source = sourceOf(value);
  return source !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(source) ? source : null;
};

function sourceOf(value: JsonValue | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? value : undefined;
}

/** What `reader` reads; null where the server gave null or nothing, and a record can stand without it. */
export function orNull<Value>(reader: Reader<Value>): Reader<Value | null> {
  return (value, path, badRecords) =>
    value === undefined || value === null ? null : reader(value, path, badRecords);
}

/** What `reader` reads, or `instead` where the server gave null or nothing. */
export function ifGiven<Value>(reader: Reader<Value>, instead: Value): Reader<Value> {
  return (value, path, badRecords) =>
    value === undefined || value === null ? instead : reader(value, path, badRecords);
}

/** What `reader` reads; where that cannot be, it is set aside, and `instead` stands for it. */
export function orElse<Value, Instead>(
  reader: Reader<Value>,
  instead: Instead,
): Reader<Value | Instead> {
  return (value, path, badRecords) => {
    const read = reader(value, path, badRecords);
    if (!(read instanceof Unreadable)) return read;
    badRecords.push({ path, problem: read.problem });
    return instead;
  };
}

/** A record of the given fields; what else the server sent is kept in `extra`. */
export function record<Record extends { readonly extra: JsonObject }>(
  fields: Fields<Record>,
): Reader<Record> {
  return (value, path, badRecords) => {
    if (!isJsonObject(value)) return fail(path, phrase('an object'), value);
    const known: [string, unknown][] = [];
    for (const [field, reader] of Object.entries<Reader<unknown>>(fields)) {
      const given = Object.hasOwn(value, field) ? value[field] : undefined;
      const read = reader(given, `${path}.${field}`, badRecords);
      if (read instanceof Unreadable) return read;
      known.push([field, read]);
    }
    const extra = Object.entries(value).filter(([key]) => !Object.hasOwn(fields, key));
    return Object.fromEntries([...known, ['extra', Object.fromEntries(extra)]]) as Record;
  };
}

/**
 * A list whose bad items are set aside, so that one of them does not hide the others; as they came
 * where `keepsBad`, for an answer that nobody can ask for again.
 */
export function list<Item>(reader: Reader<Item>, keepsBad = false): Reader<Item[]> {
  return (value, path, badRecords) => {
    if (!Array.isArray(value)) return fail(path, phrase('a list'), value);
    return value.flatMap((item, index) => {
      const place = `${path}[${index}]`;
      const read = reader(item, place, badRecords);
      if (!(read instanceof Unreadable)) return [read];
      const { problem } = read;
      badRecords.push({ path: place, problem, ...(keepsBad ? { record: item } : {}) });
      return [];
    });
  };
}

/** A list that is set aside as a whole, and empty, where the server gave null for it. */
export function listOrNone<Item>(reader: Reader<Item>): Reader<Item[]> {
  return (value, path, badRecords) => {
    if (value !== null) return list(reader)(value, path, badRecords);
    badRecords.push({ path, problem: problemWith(path, phrase('a list'), value) });
    return [];
  };
}

function fail(path: string, expected: Phrase, value: JsonValue | undefined): Unreadable {
  return new Unreadable(problemWith(path, expected, value));
}

function problemWith(path: string, expected: Phrase, value: JsonValue | undefined): Phrase {
  return phrase('{0} should be {1} and {2}', path, expected, shown(value));
}

/**
 * Digits tell how much somebody has: no message or log repeats them. A text that has some is not
 * told at all, as half of a secret could no longer be recognised as one.
 */
function shown(value: JsonValue | undefined): Phrase {
  if (value === undefined) return phrase('is missing');
  if (value instanceof JsonNumber) return phrase('is {0}', value.text.replace(/\d+/g, '#'));
  if (Array.isArray(value)) return phrase('is a list');
  if (isJsonObject(value)) return phrase('is an object');
  if (typeof value !== 'string') return phrase('is {0}', String(value));
  return /\d/.test(value) ? phrase('is text with digits') : phrase('is "{0}"', value);
}
