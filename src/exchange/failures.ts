import { cleanText } from '../base/cleanText.ts';
import { BodyTooLarge } from './body.ts';
import type { ErrorKind, Failure } from './errors.ts';
import { JsonNumber, parseJson, type JsonValue } from './json.ts';
import type { FetchResponse } from './fetch.ts';

const maxRetryAfterMs = 15 * 60_000;

type Facts = Pick<Failure, 'kind' | 'retryAfterMs' | 'serverWords' | 'detail'>;

/** What an HTTP status that is no success says; undefined for a success. */
export function statusFailure(
  response: FetchResponse,
  text: string,
  nowMs: number,
): Facts | undefined {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return undefined;
  if (status < 400) return { kind: 'redirected', detail: redirectTarget(headers.get('location')) };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), nowMs);
  const serverWords = readServerWords(text);
  return {
    kind: kindOf(status),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(serverWords === undefined ? {} : { serverWords }),
  };
}

/** The pause that an answer asks for (429, 418, or 503 that says how long); undefined where it asks for none. */
export function pauseAsked(
  { status, headers }: FetchResponse,
  nowMs: number,
): { readonly retryAfterMs: number | undefined } | undefined {
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), nowMs);
  const asks = kindOf(status) === 'rateLimited' || (status === 503 && retryAfterMs !== undefined);
  return asks ? { retryAfterMs } : undefined;
}

function kindOf(status: number): ErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 418 || status === 429) return 'rateLimited';
  if (status === 408) return 'timeout';
  return status >= 500 || status === 425 ? 'server' : 'refused';
}

const timeWords =
  /(?:time[ _-]?stamp|recv[ _-]?window)(?!=|["']\s*:)|request[ _-]?time|server(?:[’']s)?[ _-]?time|\bclock\b|request (?:has )?expired/i;

/**
 * Whether a server refused a request for its time. Only its words tell: there is no common code. A
 * query or header that it repeats, as in `timestamp=1`, says nothing.
 */
export function isRefusedForTime({ kind, serverWords = '' }: Failure): boolean {
  return (kind === 'auth' || kind === 'refused') && timeWords.test(serverWords);
}

function redirectTarget(location: string | null): string {
  if (location === null) return 'an unnamed place';
  return cleanText(URL.canParse(location) ? new URL(location).host : 'another path', 100);
}

/** `Retry-After` in seconds or as a date, between 0 and 15 minutes; undefined where it says neither. */
function readRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
}

/** The words of an error body as they are: the usual fields of a JSON object, or plain text. */
function readServerWords(text: string): string | undefined {
  if (/^\s*(?:<|$)/.test(text)) return undefined;
  try {
    return wordsOf(parseJson(text));
  } catch {
    return text;
  }
}

const wordFields = ['message', 'msg', 'detail', 'error_description', 'error', 'title', 'errors'];

function wordsOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return cleanText(value, Infinity) === '' ? undefined : value;
  if (Array.isArray(value)) return value[0] === undefined ? undefined : wordsOf(value[0]);
  if (value === null || typeof value === 'boolean' || value instanceof JsonNumber) return undefined;
  for (const field of wordFields) {
    const words = Object.hasOwn(value, field) ? wordsOf(value[field] ?? null) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Codes that an established connection can give as well: only `connect` proves that nothing left. */
const ambiguous = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/** Codes of connections that failed before a byte of the request was sent. */
const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What a request that threw says: the size cap, bytes that are no text, or a broken connection. */
export function connectionFailure(error: unknown): Pick<Failure, 'kind' | 'sent' | 'detail'> {
  if (error instanceof BodyTooLarge)
    return { kind: 'tooLarge', sent: 'yes', detail: `${error.maxBytes / 1024 / 1024} MB` };
  const { code, syscall } = brokenBy(error);
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return { kind: 'malformed', sent: 'yes', detail: 'the answer is no UTF-8 text' };
  const left = code === undefined || !(neverLeft.has(code) || isFailedConnect(code, syscall));
  return { kind: 'network', sent: left ? 'maybe' : 'no', detail: code ?? 'connection lost' };
}

function isFailedConnect(code: string, syscall: string | undefined): boolean {
  return ambiguous.has(code) && syscall === 'connect';
}

type SystemFacts = { readonly code?: string; readonly syscall?: string | undefined };
type SystemError = NodeJS.ErrnoException & {
  /** What `node-fetch` calls `syscall`. */
  readonly erroredSysCall?: string;
};

/** The first error code along the chain of causes; messages are not read, they may carry headers. */
function brokenBy(error: unknown): SystemFacts {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof AggregateError && at.errors[0] instanceof Error)
      return brokenBy(at.errors[0]);
    const { code, syscall, erroredSysCall } = at as SystemError;
    if (typeof code === 'string')
      return { code: cleanText(code, 60), syscall: syscall ?? erroredSysCall };
  }
  return {};
}
