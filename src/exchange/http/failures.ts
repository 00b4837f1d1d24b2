import { cleanText } from '../../base/cleanText.ts';
import type { JsonValue } from '../../base/exactJson.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import type { ErrorKind, Failure } from '../exchangeError.ts';
import { maxPauseMs } from '../rateLimit/rateLimitState.ts';
import { readErrorInSuccess, readErrorBody, type ServerError } from './errorBody.ts';
import type { FetchResponse } from './fetch.ts';

type ResponseHead = Pick<FetchResponse, 'status' | 'headers'>;
/** What a failed answer says about its failure. */
export type ResponseFailure = Pick<
  Failure,
  'kind' | 'retryAfterMs' | 'serverWords' | 'serverCode' | 'detail' | 'isFromGateway'
>;

export function isSuccess({ status }: ResponseHead): boolean {
  return status >= 200 && status < 300;
}

/** 300 offers a choice and 304 confirms a copy: neither points elsewhere. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The failure in an answer with an error status; `text` is its body, empty if it could not be read. */
export function failureFromStatus(
  head: ResponseHead,
  text: string,
  overLimitStatuses: readonly number[],
  nowMs: number,
): ResponseFailure {
  const { status, headers } = head;
  const said = readErrorBody(text);
  if (redirectStatuses.has(status))
    return { kind: 'redirected', detail: redirectTarget(headers.get('location')), ...said };
  if (status < 400) return { kind: 'malformed', detail: phrase('HTTP {0}', status), ...said };
  const kind = kindOfStatus(status, overLimitStatuses);
  const isNo = kind === 'auth' || kind === 'refused';
  return {
    kind: isNo && mentionsRateLimit(said) ? 'rateLimited' : kind,
    ...retryAfter(head, nowMs),
    ...said,
  };
}

/** The failure in an answer whose status is a success; undefined if its body names no error. */
export function failureFromBody(
  head: ResponseHead,
  answer: JsonValue,
  nowMs: number,
): ResponseFailure | undefined {
  const said = readErrorInSuccess(answer);
  return said && { kind: kindOfMessage(said), ...retryAfter(head, nowMs), ...said };
}

/** The pause that an answer's head asks for: over the limit, or 503 that says how long; undefined if it asks for none. */
export function requestedPause(
  head: ResponseHead,
  overLimitStatuses: readonly number[],
  nowMs: number,
): { readonly retryAfterMs: number | undefined } | undefined {
  const { retryAfterMs } = retryAfter(head, nowMs);
  const isOverLimit = overLimitStatuses.includes(head.status);
  const asks = isOverLimit || (head.status === 503 && retryAfterMs !== undefined);
  return asks ? { retryAfterMs } : undefined;
}

function kindOfStatus(status: number, overLimitStatuses: readonly number[]): ErrorKind {
  if (overLimitStatuses.includes(status)) return 'rateLimited';
  if (status === 401 || status === 403) return 'auth';
  if (status === 408) return 'timeout';
  return status >= 500 || status === 425 ? 'server' : 'refused';
}

/** For an error in an answer with a success status: only its words show the kind. */
function kindOfMessage(said: ServerError): ErrorKind {
  if (mentionsRateLimit(said)) return 'rateLimited';
  return authWords.test(said.serverWords ?? '') ? 'auth' : 'refused';
}

const requests = '(?:api |http )?(?:requests?|calls?|visits?)';
const tooManyWords = new RegExp(
  [
    `\\btoo many ${requests}\\b`,
    `\\b(?:${requests}|access|accessing|visiting)(?: (?:is|are|was|were))? too (?:frequent(?:ly)?|often|fast|many)\\b`,
    `\\b${requests} (?:rate|frequency|weight|limit|rate limit)(?: (?:is|was|has been))? (?:exceed(?:ed|s)?|reached)\\b`,
    '(?<!\\b(?:funding|fee|interest|borrow|borrowing|exchange) )\\brate[ _-]?limit(?:s|ed|ing)?(?![a-z])',
  ].join('|'),
  'i',
);
const authWords =
  /\b(?:invalid|wrong|unknown|missing|expired|incorrect|bad)\b.{0,30}\b(?:api[ _-]?key|access[ _-]?key|signature|credentials?|access token|passphrase)\b|\b(?:api[ _-]?key|access[ _-]?key|signature|credentials?|access token|passphrase)\b.{0,30}\b(?:invalid|wrong|unknown|missing|expired|incorrect|not valid|does not exist)\b|\bunauthori[sz]ed\b|\bauthentication (?:failed|required)\b|\bpermission denied\b/i;

/** Whether the message is about too many requests: not too many orders, nor a market rate. */
function mentionsRateLimit({ serverWords = '', serverCode = '' }: ServerError): boolean {
  return tooManyWords.test(serverWords) || tooManyWords.test(serverCode);
}

const timeWords =
  /(?:time[ _-]?stamp|recv[ _-]?window)(?!=|["']\s*:)|request[ _-]?time|server(?:[’']s)?[ _-]?time|\bclock\b|request (?:has )?expired/i;

/**
 * Whether a server refused a request for its time. Only its words and its code's words show it: there is no
 * common number. A query or header that it repeats, as in `timestamp=1`, says nothing.
 */
export function isTimestampRejected({ kind, serverWords = '', serverCode = '' }: Failure): boolean {
  const mentionsTime = timeWords.test(serverWords) || timeWords.test(serverCode);
  return mentionsTime && (kind === 'auth' || kind === 'refused');
}

function redirectTarget(location: string | null): string | Phrase {
  if (location === null) return phrase('an unnamed place');
  if (!URL.canParse(location)) return phrase('another path');
  const { host } = new URL(location);
  return host === '' ? phrase('an unnamed place') : cleanText(host, 100);
}

/** `Retry-After` in seconds or as a date, between 0 and the longest pause that is respected; nothing if it is neither. */
function retryAfter({ headers }: ResponseHead, nowMs: number): { readonly retryAfterMs?: number } {
  const value = headers.get('retry-after');
  if (value === null) return {};
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - nowMs;
  if (Number.isNaN(delayMs)) return {};
  return { retryAfterMs: Math.min(Math.max(delayMs, 0), maxPauseMs) };
}

/** Each form of it begins with the day of the week; `Date.parse` alone takes `-1` for a date. */
function httpDate(value: string): number {
  return /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN;
}
