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
const successCode = /^(?:0+|200(?:0{2,3})?|ok|success(?:ful)?|succeeded)$/i;
/** Also what some say beside a code of their own to a question that nothing answers. */
const successWords =
  /^(?:ok(?:ay)?|(?:(?:request|query|operation) )?(?:success(?:ful)?|succeeded)|no (?:more )?(?:data|records|results|rows|content)(?: (?:found|available))?)[.!]?$/i;

/**
 * What an answer with the status of a success says if it tells an error all the same: an object with
 * nothing of what the interface promises, but with the words or the code of an error, or `"success":
 * false`. Where it keeps the shape of an answer and leaves it empty, it takes words and a code of no
 * success: an empty page is no error.
 */
export function readErrorAnswer(answer: JsonValue): ServerWords | undefined {
  if (!isJsonObject(answer)) return undefined;
  const promised = promisedFields.map((field) => valueOf(answer, field));
  if (!promised.every(isEmpty)) return undefined;
  const said = saidBy(answer);
  const success = valueOf(answer, 'success');
  const isShaped = promised.some((value) => value !== null);
  const isError = isShaped ? success !== true && tellsFully(said) : tells(said);
  return success === false || isError ? said : undefined;
}

function valueOf(answer: JsonObject, field: string): JsonValue {
  return Object.hasOwn(answer, field) ? (answer[field] ?? null) : null;
}

function isEmpty(value: JsonValue): boolean {
  if (value instanceof JsonNumber) return Number(value.text) === 0;
  if (typeof value === 'string') return Number(value) === 0;
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function tells({ serverWords, serverCode }: ServerWords): boolean {
  return serverCode === undefined ? serverWords !== undefined : !successCode.test(serverCode);
}

function tellsFully({ serverWords, serverCode }: ServerWords): boolean {
  if (serverWords === undefined || serverCode === undefined) return false;
  return !successCode.test(serverCode) && !successWords.test(cleanText(serverWords, Infinity));
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
