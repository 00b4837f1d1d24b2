import { cleanText } from '../../base/cleanText.ts';
import type { JsonValue } from '../../base/exactJson.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { hourMs, minuteMs, parseTimestampMs, secondMs } from '../../base/time.ts';
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
  const kindByStatus = kindOfStatus(status, overLimitStatuses);
  const isNo = kindByStatus === 'auth' || kindByStatus === 'refused';
  const kind = isNo && mentionsRateLimit(said) ? 'rateLimited' : kindByStatus;
  const isBlocked = status === 403 && kind === 'auth' && !mentionsSignIn(said);
  const gateway = isBlocked && { isFromGateway: true };
  const words = kind === 'rateLimited' && !said.isFromGateway ? text : '';
  return { kind, ...retryAfter(head, nowMs, words), ...said, ...gateway };
}

/** The failure in an answer whose status is a success; undefined if its body names no error. */
export function failureFromBody(
  head: ResponseHead,
  answer: JsonValue,
  nowMs: number,
): ResponseFailure | undefined {
  const said = readErrorInSuccess(answer);
  if (!said) return undefined;
  const kind = kindOfMessage(said);
  const words = kind === 'rateLimited' ? JSON.stringify(answer) : '';
  return { kind, ...retryAfter(head, nowMs, words), ...said };
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

const requests = '(?:(?:api|http) ?)?(?:requests?|calls?|visits?)';
/** In words of `spacedWords`; a code may have them without spaces. */
const tooManyWords = new RegExp(
  [
    `\\btoo ?(?:many|much) ?${requests}`,
    `\\b(?:${requests}|access|accessing|visiting)(?: ?(?:is|are|was|were))? ?too ?(?:frequent(?:ly)?|often|fast|many)\\b`,
    `\\b(?:api|${requests}) ?(?:rate|frequency|weight|limit|rate ?limit)(?: ?(?:is|was|has been))? ?(?:exceed(?:ed|s)?|reached)\\b`,
    '(?<!\\b(?:funding|fee|interest|borrow|borrowing|exchange) )\\brate ?limit(?:s|ed|ing|exceeded|reached)?(?![a-z])',
    '\\bbanned (?:until|for \\d)',
  ].join('|'),
  'i',
);
const authWords =
  /\b(?:invalid|wrong|unknown|missing|expired|incorrect|bad)\b.{0,30}\b(?:api[ _-]?key|access[ _-]?key|signature|credentials?|access token|passphrase)\b|\b(?:api[ _-]?key|access[ _-]?key|signature|credentials?|access token|passphrase)\b.{0,30}\b(?:invalid|wrong|unknown|missing|expired|incorrect|not valid|does not exist)\b|\bunauthori[sz]ed\b|\bauthentication (?:failed|required)\b|\bpermission denied\b/i;

/** Whether the message is about too many requests: not too many orders, nor a market rate. */
function mentionsRateLimit({ serverWords = '', serverCode = '' }: ServerError): boolean {
  return [serverWords, serverCode].some((text) => tooManyWords.test(spacedWords(text)));
}

/** What an exchange blames with 403, if not by a code alone. A gateway that blocks a request mentions none of it. */
const signInWords =
  /keys?\b|(?<!browser.s )\bsign(?:ed|ature|ing|[ -]?in)\b|\blog ?(?:ged )?in\b|auth|credential|token|pass(?:word|phrase)|permi(?:ssion|tted)|privilege|scope|\baccount|\b(?:white|allow) ?list/i;

function mentionsSignIn({ serverWords = '', serverCode = '' }: ServerError): boolean {
  const said = spacedWords(`${serverCode} ${serverWords}`);
  return serverWords === '' ? serverCode !== '' : signInWords.test(said) || timeWords.test(said);
}

/** Enough for what an exchange says; a longer text is not words. */
const maxWordsLength = 2000;

/** With spaces between the words of a name: `apiLimitExceeded`, `TOO_MANY_REQUESTS`. */
export function spacedWords(text: string): string {
  const start = text.slice(0, maxWordsLength);
  const joints = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|-+(?!\d)/g;
  return start.replaceAll(joints, ' ').replaceAll(/ +/g, ' ');
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

/** How long to wait, by `Retry-After`, or by the body of an exchange that says that a limit was exceeded; nothing if neither tells. */
function retryAfter(
  { headers }: ResponseHead,
  nowMs: number,
  words = '',
): { readonly retryAfterMs?: number } {
  const answeredMs = Date.parse(headers.get('date') ?? '') || nowMs;
  const delays = [
    delayMs(headers.get('retry-after')?.trim() ?? '', answeredMs),
    delayInWordsMs(words, answeredMs),
  ].filter((delay) => delay !== undefined);
  if (delays.length === 0) return {};
  return { retryAfterMs: Math.min(Math.max(0, ...delays), maxPauseMs) };
}

/**
 * Seconds, rounded up, unless it has another unit; or a time. A date is measured from the answer's own, as
 * the clock of this machine may be wrong. `Date.parse` alone takes `-1` for a date.
 */
function delayMs(value: string, answeredMs: number): number | undefined {
  const epochMs = parseTimestampMs(value) ?? (datePattern.test(value) ? Date.parse(value) : NaN);
  if (!Number.isNaN(epochMs)) return epochMs - answeredMs;
  const [, number, unit = 's'] = durationPattern.exec(value.toLowerCase()) ?? [];
  const unitMs = unitsMs[unit === 'ms' ? unit : unit.slice(0, 1)] ?? secondMs;
  return number === undefined
    ? undefined
    : Math.ceil((Number(number) * unitMs) / secondMs) * secondMs;
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, m: minuteMs, h: hourMs };
const unit = '(?:ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)';
const durationPattern = new RegExp(`^\\+?(\\d+(?:\\.\\d*)?|\\.\\d+) ?(${unit})?$`);

const isoDate = String.raw`\d{4}-\d\d-\d\d[T ][\d:.]+ ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)`;
/** Each form of an HTTP date begins with the day of the week; some send ISO 8601. */
const datePattern = new RegExp(`^(?:[a-z]{3,9},? |${isoDate}$)`, 'i');

/** As in `banned until 1700000000000`, `try again in 30 seconds` or `"retry_after":30`. */
function delayInWordsMs(words: string, answeredMs: number): number | undefined {
  const said = waitWords.exec(spacedWords(words))?.slice(1).find(Boolean);
  return said === undefined ? undefined : delayMs(said.toUpperCase(), answeredMs);
}

const httpDate = String.raw`[a-z]{3,9},? \d\d[ -][a-z]{3}[ -]\d{2,4} [\d:]+ (?:GMT|UTC)`;
const number = String.raw`\d+(?:\.\d+)?`;
const waitWords = new RegExp(
  [
    `\\buntil"?:? ?"?(\\d{10,19}|${isoDate}|${httpDate})`,
    `\\b(?:retry|try again|wait|banned|blocked)(?: (?:after|in|for))?:? "?(${number} ?${unit})\\b`,
    `\\bretry after"?: ?"?(${number} ?${unit}?)(?![\\w.])`,
  ].join('|'),
  'i',
);
