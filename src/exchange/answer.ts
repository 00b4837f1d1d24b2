import { phrase, type Phrase } from '../base/phrase.ts';
import { readErrorBody, type ServerWords } from './errorBody.ts';
import type { ExchangeError } from './errors.ts';
import { pauseAsked, type FailureFacts } from './failures.ts';
import type { FetchResponse } from './fetch.ts';
import { JsonTooComplex, parseJson, type JsonValue } from './json.ts';
import type { Ending } from './ledger/books.ts';
import { usedWeights } from './ledger/usedWeight.ts';

/** Makes of an answer what its caller wants; throws ExchangeError where it is not what the interface promises. */
export type Understand<Value> = (answer: JsonValue, status: number) => Value;

/**
 * The body of an answer as JSON. Throws what `fail` makes of it where it is none: what it is instead, and
 * what it says only where it is plain words, as a half of an answer may hold anything.
 */
export function parseAnswer(text: string, fail: (facts: FailureFacts) => ExchangeError): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const detail = phrase('the answer is {0}', whatItIs(text, error));
    throw fail({ kind: 'malformed', detail, ...plainWords(text) });
  }
}

function plainWords(text: string): ServerWords {
  return /^\s*\p{L}/u.test(text) && !/["{}[\]]/.test(text) ? readErrorBody(text) : {};
}

function whatItIs(text: string, error: unknown): Phrase {
  if (error instanceof JsonTooComplex) return error.problem;
  return /^\s*</.test(text) ? phrase('an HTML page') : phrase('no JSON');
}

/**
 * What an answer's head means for the weight; the server has counted the request by then. With a
 * refusal of the limit, the pause that it asks for covers what others spent: it lasts until there is
 * room again, and to book that for a window of ours would keep a cancel-all longer.
 */
export function endingOf(
  response: FetchResponse,
  overLimitStatuses: readonly number[],
  nowMs: number,
): Ending {
  const asked = pauseAsked(response, overLimitStatuses, nowMs);
  return asked
    ? { kind: 'limited', retryAfterMs: asked.retryAfterMs }
    : {
        kind: 'answered',
        usedWeights: usedWeights(response.headers),
        timesSent: timesSent(response),
      };
}

/** Nobody tells whether `fetch` has sent again what was answered 421: it counts as if it had. */
function timesSent({ status }: FetchResponse): number {
  return status === 421 ? 2 : 1;
}
