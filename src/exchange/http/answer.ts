import { setImmediate } from 'node:timers/promises';
import { isRead, type OperationName } from '../../api/operations.ts';
import { JsonTooComplex, isJsonObject, parseJson, type JsonValue } from '../../base/exactJson.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import type { BadRecord, Decoded } from '../badRecords.ts';
import { DecodeFailure, type Decoder } from '../decoders.ts';
import type { ExchangeError } from '../exchangeError.ts';
import { BodyTooLarge } from './connectionFailure.ts';
import { readErrorBody, type ServerError } from './errorBody.ts';
import type { ResponseFailure } from './failures.ts';
import type { FetchResponse } from './fetch.ts';
import type { Redactor } from './redactor.ts';

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

/** The fields of a symbol that the product uses. */
const usedFields = ['symbol', 'marginAsset', 'baseAsset', 'pair', 'quoteAsset', 'status'];
/** Strings, the last of which may be cut, and what separates values. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*("?)|[[\]{},]/gs;
const depthChanges: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
/** What is beside the symbols is small. More is not exchange information: it is cut, and so no JSON. */
const maxRest = 1024 * 1024;

/**
 * Shortens exchange information, part by part of its text, to what is used of each symbol: all that some
 * exchanges say of 3,000 symbols would take hundreds of megabytes.
 */
export class UsedExchangeInfo {
  private kept = '';
  private restLength = 0;
  private cutString = '';
  private lastString = '';
  private depth = 0;
  /** The element of `symbols` that is being read, as far as it came; undefined outside of it. */
  private symbol: string | undefined;

  /** JSON if the information is. */
  get text(): string {
    return this.kept + this.cutString;
  }

  /** Throws BodyTooLarge at a string that no exchange information has: it would be read again with each part. */
  add(text: string): void {
    if (this.cutString.length > maxRest) throw new BodyTooLarge(maxRest);
    const part = this.cutString + text;
    this.cutString = '';
    let start = 0;
    for (const { 0: token, 1: quote, index } of part.matchAll(tokens)) {
      if (quote === '') this.cutString = part.slice(index);
      else if (quote === '"') this.lastString = token;
      else if (this.isBoundary(token)) {
        this.keep(part.slice(start, index));
        this.endSymbol(token);
        start = index + 1;
      }
    }
    this.keep(part.slice(start, part.length - this.cutString.length));
  }

  /** Whether a bracket or comma begins or ends an element of `symbols`. */
  private isBoundary(token: string): boolean {
    this.depth += depthChanges[token] ?? 0;
    if (this.symbol === undefined)
      return token === '[' && this.depth === 2 && this.lastString === '"symbols"';
    return this.depth === 1 || (this.depth === 2 && token === ',');
  }

  private endSymbol(boundary: string): void {
    this.kept += usedSymbol(this.symbol ?? '') + boundary;
    this.symbol = this.depth === 2 ? '' : undefined;
  }

  private keep(text: string): void {
    if (this.symbol !== undefined) this.symbol += text;
    else if ((this.restLength += text.length) <= maxRest) this.kept += text;
  }
}

function usedSymbol(text: string): string {
  try {
    const symbol = parseJson(text);
    if (!isJsonObject(symbol)) return text;
    return JSON.stringify(Object.fromEntries(usedFields.map((name) => [name, symbol[name]])));
  } catch {
    return text;
  }
}
