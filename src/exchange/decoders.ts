import { isNumberText, type NumberText } from '../base/decimal.ts';
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../base/exactJson.ts';
import { phrase, type Phrase } from '../base/phrase.ts';
import { isTimestamp } from '../base/time.ts';
import type { BadRecord } from './badRecords.ts';

/**
 * Returned in place of a value that cannot be decoded. It is not thrown: a page may have 100,000 of them,
 * and creating that many errors would block the window for a second.
 */
export class DecodeFailure {
  readonly problem: Phrase;

  constructor(problem: Phrase) {
    this.problem = problem;
  }
}

/** Reads one value at `path`. Records set aside on the way go to `badRecords`. */
export type Decoder<Value> = (
  value: JsonValue | undefined,
  path: string,
  badRecords: BadRecord[],
) => Value | DecodeFailure;

type Fields = Readonly<Record<string, Decoder<unknown>>>;
type RecordOf<Of extends Fields> = {
  readonly [Name in keyof Of]: Exclude<ReturnType<Of[Name]>, DecodeFailure>;
} & { readonly extra: JsonObject };

export const text: Decoder<string> = (value, path) =>
  typeof value === 'string' ? value : fail(path, phrase('a string'), value);

/** A text that identifies a record: not blank. */
export const name: Decoder<string> = (value, path) =>
  typeof value === 'string' && value.trim() !== '' ? value : fail(path, phrase('a name'), value);

export const flag: Decoder<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : fail(path, phrase('true or false'), value);

/**
 * A number of a size that can be shown, as its source text. Some exchanges quote their numbers so
 * that nobody rounds them: text in a JSON number's strict shape is accepted as one.
 */
export const number: Decoder<NumberText> = (value, path) => {
  const source = sourceOf(value);
  return source !== undefined && isNumberText(source)
    ? source
    : fail(path, phrase('a number'), value);
};

/** A whole number of up to 40 digits, as its source text; it may be quoted as well. */
export const id: Decoder<NumberText> = (value, path) => {
  const source = sourceOf(value);
  return source !== undefined && /^-?(?:0|[1-9]\d{0,39})$/.test(source)
    ? source
    : fail(path, phrase('an integer'), value);
};

/** Some exchanges write it with a fraction or an exponent. */
export const time: Decoder<NumberText> = (value, path, badRecords) => {
  const source = sourceOf(value);
  return source !== undefined && isTimestamp(source) ? source : id(value, path, badRecords);
};

/** A whole number that is an amount, not an id: some exchanges write 10 as `10.0`. As its source text. */
export const wholeNumber: Decoder<NumberText> = (value, path, badRecords) => {
  const source = sourceOf(value);
  const isWhole = source !== undefined && /^-?(?:0|[1-9]\d{0,39})\.0{1,40}$/.test(source);
  return isWhole ? source : id(value, path, badRecords);
};

/** A count of 0 or more; null if the server sent none, or a value that cannot be a count: no rows depend on it. */
export const countOrNull: Decoder<NumberText | null> = (value) => {
  const source = sourceOf(value);
  return source !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(source) ? source : null;
};

function sourceOf(value: JsonValue | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? value : undefined;
}

/**
 * What `decoder` reads; null if the server gave null, nothing, or `""`. Any other value that cannot be read is
 * null too, and reported: a record counts as long as its identity can be read.
 */
export function orNull<Value>(decoder: Decoder<Value>): Decoder<Value | null> {
  return (value, path, badRecords) => {
    if (value === undefined || value === null || value === '') return null;
    const read = decoder(value, path, badRecords);
    if (!(read instanceof DecodeFailure)) return read;
    badRecords.push({ path, problem: read.problem, isField: true });
    return null;
  };
}

/** What `decoder` reads, or `instead` if the server gave null or nothing. */
export function ifMissing<Value, Instead>(
  decoder: Decoder<Value>,
  instead: Instead,
): Decoder<Value | Instead> {
  return (value, path, badRecords) =>
    value === undefined || value === null ? instead : decoder(value, path, badRecords);
}

/** What `decoder` reads; a value that cannot be read is set aside, and `instead` takes its place. */
export function ifUnreadable<Value, Instead>(
  decoder: Decoder<Value>,
  instead: Instead,
): Decoder<Value | Instead> {
  return (value, path, badRecords) => {
    const read = decoder(value, path, badRecords);
    if (!(read instanceof DecodeFailure)) return read;
    badRecords.push({ path, problem: read.problem });
    return instead;
  };
}

/** A record of the given fields; what else the server sent is kept in `extra`. */
export function record<Of extends Fields>(fields: Of): Decoder<RecordOf<Of>> {
  const decoders = Object.entries(fields);
  return (value, path, badRecords) => {
    if (!isJsonObject(value)) return fail(path, phrase('an object'), value);
    const known: Record<string, unknown> = {};
    for (const [field, decoder] of decoders) {
      const given = Object.hasOwn(value, field) ? value[field] : undefined;
      const read = decoder(given, `${path}.${field}`, badRecords);
      if (read instanceof DecodeFailure) return read;
      known[field] = read;
    }
    const extra = Object.entries(value).filter(([key]) => !Object.hasOwn(fields, key));
    known.extra = Object.fromEntries(extra);
    return known as RecordOf<Of>;
  };
}

/** What `decoder` reads of a record whose fields can be null; it fails if all of them are. */
export function withSomeField<Value extends object>(decoder: Decoder<Value>): Decoder<Value> {
  return (value, path, badRecords) => {
    const start = badRecords.length;
    const read = decoder(value, path, badRecords);
    if (read instanceof DecodeFailure) return read;
    const isKnown = ([name, field]: [string, unknown]) => name !== 'extra' && field !== null;
    if (Object.entries(read).some(isKnown)) return read;
    const [first] = badRecords.splice(start);
    return first ? new DecodeFailure(first.problem) : read;
  };
}

/**
 * A list whose bad items are set aside, so that one of them does not hide the others. If `keepsBad`, they,
 * and those with a bad field, are kept as received, for an answer that cannot be requested again.
 */
export function list<Item>(decoder: Decoder<Item>, keepsBad = false): Decoder<readonly Item[]> {
  return (value, path, badRecords) => {
    if (!Array.isArray(value)) return fail(path, phrase('a list'), value);
    return value.flatMap((item, index) => {
      const place = `${path}[${index}]`;
      const bad: BadRecord[] = [];
      const read = decoder(item, place, bad);
      const isBad = read instanceof DecodeFailure;
      const reported = isBad ? [{ path: place, problem: read.problem }] : bad;
      // A record that is kept as received is reported once.
      badRecords.push(
        ...(keepsBad ? reported.slice(0, 1).map((one) => ({ ...one, record: item })) : reported),
      );
      return isBad ? [] : [read];
    });
  };
}

/** If the server sent null, the list is empty, and it is set aside as a bad record. */
export function listOrEmpty<Item>(decoder: Decoder<Item>): Decoder<readonly Item[]> {
  return (value, path, badRecords) => {
    if (value !== null) return list(decoder)(value, path, badRecords);
    badRecords.push({ path, problem: problemWith(path, phrase('a list'), value) });
    return [];
  };
}

function fail(path: string, expected: Phrase, value: JsonValue | undefined): DecodeFailure {
  return new DecodeFailure(problemWith(path, expected, value));
}

function problemWith(path: string, expected: Phrase, value: JsonValue | undefined): Phrase {
  return phrase('{0} should be {1} and {2}', path, expected, describeValue(value));
}

/**
 * Digits show how much somebody has: no message or log repeats them. A text with digits is not quoted
 * at all, as half of a secret could no longer be recognised as one.
 */
function describeValue(value: JsonValue | undefined): Phrase {
  if (value === undefined) return phrase('is missing');
  if (value instanceof JsonNumber) return phrase('is {0}', value.text.replace(/\d+/g, '#'));
  if (Array.isArray(value)) return phrase('is a list');
  if (isJsonObject(value)) return phrase('is an object');
  if (typeof value !== 'string') return phrase('is {0}', String(value));
  return /\d/.test(value) ? phrase('is text with digits') : phrase('is "{0}"', value);
}
