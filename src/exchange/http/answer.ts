import { setImmediate } from 'node:timers/promises';
import { JsonTooComplex, parseJson, type JsonValue } from '../../base/exactJson.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { isRead, type OperationName } from '../../api/operations.ts';
import type { BadRecord, Decoded } from '../badRecords.ts';
import { DecodeFailure, type Decoder } from '../decoders.ts';
import type { ExchangeError } from '../exchangeError.ts';
import { BodyTooLarge } from './connectionFailure.ts';
import { readErrorBody, type ServerError } from './errorBody.ts';
import type { ResponseFailure } from './failures.ts';
import type { FetchResponse } from './fetch.ts';
import type { Redactor } from './redactor.ts';
import { UsedExchangeInfo } from './usedExchangeInfo.ts';

/** How many times as large as other bodies exchange information may be. */
const maxInfoBodies = 4;
/** Larger exchange information would block the window while it is parsed. */
const maxWholeInfoBytes = 1024 * 1024;

/**
 * Reads a body as UTF-8, and stops once it has given more than the cap, decompressed. Exchange
 * information may be larger; of a large one it gives only what is used.
 */
export async function readBody(
  operation: OperationName,
  { body }: FetchResponse,
  maxBodyBytes: number,
): Promise<string> {
  const isInfo = operation === 'exchangeInfo';
  const maxBytes = maxBodyBytes * (isInfo ? maxInfoBodies : 1);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const used = new UsedExchangeInfo();
  let [text, size] = ['', 0];
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new BodyTooLarge(maxBytes);
    text += decoder.decode(chunk, { stream: true });
    if (!isInfo || size <= maxWholeInfoBytes) continue;
    used.add(text);
    text = '';
    // Parts that are there already would be read in one turn.
    await setImmediate();
  }
  text += decoder.decode();
  if (size <= maxWholeInfoBytes || !isInfo) return text;
  used.add(text);
  return used.text;
}

/**
 * A body as JSON. Otherwise throws what `fail` makes of it: what the body is instead, and its text only
 * if that is plain words, as half of a response may hold anything.
 */
export function parseBody(
  text: string,
  fail: (failure: ResponseFailure) => ExchangeError,
): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const isEmpty = text.trim() === '';
    const detail = isEmpty
      ? phrase('empty answer')
      : phrase('the answer is {0}', describeBody(text, error));
    throw fail({ kind: 'malformed', detail, ...plainTextOf(text) });
  }
}

function plainTextOf(text: string): ServerError {
  return /^\s*\p{L}/u.test(text) && !/["{}[\]]/.test(text) ? readErrorBody(text) : {};
}

function describeBody(text: string, error: unknown): Phrase {
  if (error instanceof JsonTooComplex) return error.problem;
  return /^\s*</.test(text) ? phrase('an HTML page') : phrase('not JSON');
}

/**
 * Decodes the response to an operation. Throws ExchangeError, `malformed`, if the response as a
 * whole is not what the API promises. All texts are redacted: they quote the server, which may repeat
 * a key.
 */
export function decodeBody<Value>(
  operation: OperationName,
  decoder: Decoder<Value>,
  { status, body }: { readonly status: number; readonly body: JsonValue },
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
  return phrase(
    '{0} could not be read either (one of {1} that are counted but not listed)',
    path,
    more,
  );
}
