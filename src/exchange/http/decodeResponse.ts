import { JsonTooComplex, parseJson, type JsonValue } from '../../base/exactJson.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { DecodeFailure, type Decoder } from '../decoders.ts';
import type { ExchangeError } from '../exchangeError.ts';
import { isRead, type OperationName } from '../operations.ts';
import type { BadRecord, Decoded } from '../records.ts';
import { readErrorBody, type ServerError } from './errorBody.ts';
import type { ResponseFailure } from './failures.ts';
import type { Redactor } from './redactor.ts';

/** A response whose body is JSON and names no error. */
export type JsonResponse = { readonly status: number; readonly body: JsonValue };

/**
 * The body of a response as JSON. Otherwise throws what `fail` makes of it: what the body is instead,
 * and its text only where that is plain words, as half of a response may hold anything.
 */
export function parseBody(
  text: string,
  fail: (failure: ResponseFailure) => ExchangeError,
): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const detail = phrase('the answer is {0}', describeBody(text, error));
    throw fail({ kind: 'malformed', detail, ...plainTextOf(text) });
  }
}

function plainTextOf(text: string): ServerError {
  return /^\s*\p{L}/u.test(text) && !/["{}[\]]/.test(text) ? readErrorBody(text) : {};
}

function describeBody(text: string, error: unknown): Phrase {
  if (error instanceof JsonTooComplex) return error.problem;
  return /^\s*</.test(text) ? phrase('an HTML page') : phrase('no JSON');
}

/**
 * Decodes the response to an operation. Throws ExchangeError, `malformed`, where the response as a
 * whole is not what the API promises. All texts are redacted: they quote the server, which may repeat
 * a key.
 */
export function decodeResponse<Value>(
  operation: OperationName,
  decoder: Decoder<Value>,
  { status, body }: JsonResponse,
  redactor: Redactor,
): Decoded<Value> {
  const malformed = (detail: string | Phrase): ExchangeError =>
    redactor.toError({ kind: 'malformed', sent: 'yes', operation, status, detail });
  // Another success, such as 202, does not say that a write was done.
  if (!isRead(operation) && status !== 200) throw malformed(`HTTP ${status}`);
  const badRecords: BadRecord[] = [];
  const value = decoder(body, '$', badRecords);
  if (value instanceof DecodeFailure) throw malformed(value.problem);
  return { value, badRecords: redactBadRecords(badRecords, redactor) };
}

/** Nobody reads more of them, and the words of 100 000 would block the window for seconds. */
const maxDescribedRecords = 100;

function redactBadRecords(
  badRecords: readonly BadRecord[],
  redactor: Redactor,
): readonly BadRecord[] {
  const more = badRecords.length - maxDescribedRecords;
  return badRecords.map(({ path, problem, ...rest }, index) => ({
    ...rest,
    path,
    problem:
      index < maxDescribedRecords ? redactor.redactPhrase(problem) : describeRest(path, more),
  }));
}

function describeRest(path: string, more: number): Phrase {
  return phrase('{0} could not be read either: one of {1} more that are only counted', path, more);
}
