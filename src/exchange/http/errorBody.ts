import { cleanText } from '../../base/cleanText.ts';
import {
  JsonNumber,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../base/exactJson.ts';
import type { Failure } from '../exchangeError.ts';
import { maxReadLength } from './redactor.ts';

/** What a server says of an error: its words as they are, and its code if it has one. */
export type ServerError = Pick<Failure, 'serverWords' | 'serverCode' | 'isFromGateway'>;

/**
 * Reads the body of an error: the usual fields of a JSON object, or plain text. A page or a firewall's
 * code is a gateway's, not the exchange's: it has no words.
 */
export function readErrorBody(text: string): ServerError {
  const start = text.slice(0, maxWordsLength);
  if (gatewayStart.test(start)) return { isFromGateway: true };
  if (start.trim() === '') return {};
  try {
    return serverErrorIn(parseJson(start));
  } catch {
    return { serverWords: start };
  }
}

const gatewayStart = /^\s*(?:<|error code: \d)/i;
/** One more than the redactor reads, so that it takes the words for cut. */
const maxWordsLength = maxReadLength + 1;

/** The top-level fields of all answers that are objects (sections 2.1, 2.6 and 2.7). */
const documentedFields = [
  ...['content', 'totalElements'],
  ...['assets', 'positions', 'orders', 'equity'],
  ...['rateLimits', 'symbols', 'serverTime'],
];
const successCode = /^(?:0+|200(?:0{2,3})?|ok|success(?:ful)?|succeeded)$/i;
/** Includes what some exchanges send with their own code when there are no results. */
const successWords =
  /^(?:ok(?:ay)?|(?:(?:request|query|operation) )?(?:success(?:ful)?|succeeded)|no (?:more )?(?:data|records|results|rows|content)(?: (?:found|available))?)[.!]?$/i;

/**
 * The error in an answer with the status of a success: an object with nothing of what the API promises,
 * but with the words or the code of an error, or `"success": false`. An object that has an empty field of
 * an answer needs both words and a code that do not mean success: an empty page is not an error.
 */
export function readErrorInSuccess(answer: JsonValue): ServerError | undefined {
  if (!isJsonObject(answer)) return undefined;
  const promised = documentedFields.map((field) => valueOf(answer, field));
  if (!promised.every(isEmpty)) return undefined;
  const said = serverErrorIn(answer);
  const success = valueOf(answer, 'success');
  const isShaped = promised.some((value) => value !== null);
  const isError = isShaped
    ? success !== true && hasErrorMessageAndCode(said)
    : indicatesError(said);
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

function indicatesError({ serverWords, serverCode }: ServerError): boolean {
  return serverCode === undefined ? serverWords !== undefined : !successCode.test(serverCode);
}

function hasErrorMessageAndCode({ serverWords, serverCode }: ServerError): boolean {
  if (serverWords === undefined || serverCode === undefined) return false;
  return !successCode.test(serverCode) && !successWords.test(cleanText(serverWords, Infinity));
}

const messageFields = [
  ...['message', 'msg', 'retMsg', 'detail', 'error_description'],
  ...['error', 'title', 'errors'],
];
const codeFields = ['code', 'retCode', 'errorCode', 'error_code', 'label'];
const nestedFields = ['error', 'errors'];

function serverErrorIn(value: JsonValue): ServerError {
  const serverWords = messageIn(value);
  const serverCode = codeIn(value);
  return {
    ...(serverWords === undefined ? {} : { serverWords: serverWords.slice(0, maxWordsLength) }),
    ...(serverCode === undefined ? {} : { serverCode: serverCode.slice(0, maxWordsLength) }),
  };
}

function messageIn(value: JsonValue): string | undefined {
  if (typeof value === 'string') return cleanText(value) === '' ? undefined : value;
  if (Array.isArray(value)) return value[0] === undefined ? undefined : messageIn(value[0]);
  return isJsonObject(value) ? firstOf(value, messageFields, messageIn) : undefined;
}

function codeIn(value: JsonValue): string | undefined {
  if (Array.isArray(value)) return value[0] === undefined ? undefined : codeIn(value[0]);
  if (!isJsonObject(value)) return undefined;
  return firstOf(value, codeFields, codeText) ?? firstOf(value, nestedFields, codeIn);
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
