import { cleanText } from '../base/cleanText.ts';
import type { Failure } from './errors.ts';
import { JsonNumber, isJsonObject, parseJson, type JsonObject, type JsonValue } from './json.ts';

/** What a server says of an error: its words as they are, and its code where it has one. */
export type ServerWords = Pick<Failure, 'serverWords' | 'serverCode'>;

/**
 * Reads the body of an error: the usual fields of a JSON object, or plain text. An HTML page is a
 * gateway's, not the exchange's: it has no words.
 */
export function readErrorBody(text: string): ServerWords {
  if (/^\s*(?:<|$)/.test(text)) return {};
  try {
    return saidBy(parseJson(text));
  } catch {
    return { serverWords: text };
  }
}

/** The top-level fields of all answers that are objects (sections 2.1, 2.6 and 2.7). */
const promisedFields = [
  ...['content', 'totalElements'],
  ...['assets', 'positions', 'orders', 'equity'],
  ...['rateLimits', 'symbols', 'serverTime'],
];
const successCode = /^(?:0+|200(?:000)?|ok|success)$/i;

/**
 * What an answer with the status of a success says if it tells an error all the same: an object with
 * no field that the interface promises, but with the words or the code of an error.
 */
export function readErrorAnswer(answer: JsonValue): ServerWords | undefined {
  if (!isJsonObject(answer)) return undefined;
  if (promisedFields.some((field) => isGiven(answer, field))) return undefined;
  const said = saidBy(answer);
  const { serverWords, serverCode } = said;
  const isError = serverCode === undefined ? serverWords : !successCode.test(serverCode);
  return isError ? said : undefined;
}

/** An error may keep the shape of an answer and leave it empty. */
function isGiven(answer: JsonObject, field: string): boolean {
  return Object.hasOwn(answer, field) && answer[field] !== null;
}

const wordFields = [
  ...['message', 'msg', 'retMsg', 'detail', 'error_description'],
  ...['error', 'title', 'errors'],
];
const codeFields = ['code', 'retCode', 'errorCode', 'error_code'];
const nestedFields = ['error', 'errors'];

function saidBy(value: JsonValue): ServerWords {
  const serverWords = wordsOf(value);
  const serverCode = codeOf(value);
  return {
    ...(serverWords === undefined ? {} : { serverWords }),
    ...(serverCode === undefined ? {} : { serverCode }),
  };
}

function wordsOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return cleanText(value, Infinity) === '' ? undefined : value;
  if (Array.isArray(value)) return value[0] === undefined ? undefined : wordsOf(value[0]);
  return isJsonObject(value) ? firstOf(value, wordFields, wordsOf) : undefined;
}

function codeOf(value: JsonValue): string | undefined {
  if (Array.isArray(value)) return value[0] === undefined ? undefined : codeOf(value[0]);
  if (!isJsonObject(value)) return undefined;
  return firstOf(value, codeFields, codeText) ?? firstOf(value, nestedFields, codeOf);
}

function codeText(value: JsonValue): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function firstOf(
  object: JsonObject,
  fields: readonly string[],
  read: (value: JsonValue) => string | undefined,
): string | undefined {
  for (const field of fields) {
    const found = Object.hasOwn(object, field) ? read(object[field] ?? null) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
