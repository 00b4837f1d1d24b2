import { lockedFigures } from '../../api/fields.ts';
import { compare } from '../../base/decimal.ts';
import { isJsonObject } from '../../base/exactJson.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { ExchangeError, type Failure } from '../../exchange/exchangeError.ts';
import { spacedWords } from '../../exchange/http/failures.ts';
import type { BadRecord, CanceledOrder, LockedFigures } from '../../exchange/records.ts';

/** How the one request ended: with the orders that the exchange returned, or with a failure. */
export type RequestEnd =
  | {
      readonly kind: 'answered';
      readonly canceled: readonly CanceledOrder[];
      /** Records of the answer that broke their type and are missing above, as they came. */
      readonly badRecords: readonly BadRecord[];
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What the request's end alone proves. */
type RequestOutcome = 'answered' | 'notSent' | 'refused' | 'unknown';

/** What the read-back found locked; undefined when it failed or a part of it could not be read. */
export type LockedReadBack = readonly LockedFigures[] | undefined;

/**
 * What a receipt says of its request: whether it was or may have been sent, whether it may have acted, and whether
 * another read may show more. By the request's outcome and the read-back. Receipts store these names.
 */
export const receiptOutcomes = {
  /** It has not ended yet, or its window closed before. */
  sending: { wasSent: true, mayHaveActed: true, needsRecheck: false },
  notSent: { wasSent: false, mayHaveActed: false, needsRecheck: false },
  refused: { wasSent: true, mayHaveActed: false, needsRecheck: false },
  done: { wasSent: true, mayHaveActed: true, needsRecheck: false },
  partly: { wasSent: true, mayHaveActed: true, needsRecheck: false },
  unverified: { wasSent: true, mayHaveActed: true, needsRecheck: true },
  unknownNothingLocked: { wasSent: true, mayHaveActed: true, needsRecheck: false },
  unknown: { wasSent: true, mayHaveActed: true, needsRecheck: true },
} as const;
export type CancelOutcome = Exclude<keyof typeof receiptOutcomes, 'sending'>;

/**
 * One returned order shows that the exchange acted. Records of which none could be read may be
 * anything, errors too.
 */
function requestOutcome(ended: RequestEnd): RequestOutcome {
  if (ended.kind === 'answered')
    return ended.canceled.length === 0 && ended.badRecords.length > 0 ? 'unknown' : 'answered';
  if (ended.failure.sent === 'no') return 'notSent';
  return isRefusal(ended.failure) && !ended.failure.isFromGateway ? 'refused' : 'unknown';
}

/**
 * `done`: the exchange answered with cancelled orders only, and nothing is locked. `partly`: it answered,
 * and another order is among them, or something is locked: not cancelled, or placed since. `unverified`:
 * it answered, and what is locked could not be read. `unknown`: it may have acted, also if it refused and
 * less is locked than before. `notSent`, `refused`: it did not.
 */
export function cancelOutcome(
  ended: RequestEnd,
  before: readonly LockedFigures[],
  locked: LockedReadBack,
): CancelOutcome {
  const outcome = requestOutcome(ended);
  const isUndone = outcome === 'refused' && (!locked || isStillLocked(before, locked));
  if (outcome === 'notSent' || isUndone) return outcome;
  if (outcome !== 'answered') return locked?.length === 0 ? 'unknownNothingLocked' : 'unknown';
  if (!locked) return 'unverified';
  return locked.length === 0 && hasOnlyCanceled(ended) ? 'done' : 'partly';
}

/** Whether all that was locked, as far as it is known, is locked now, or more. */
export function isStillLocked(
  before: readonly LockedFigures[],
  now: readonly LockedFigures[],
): boolean {
  return before.every((then) => now.some((one) => isAsMuch(one, then)));
}

function isAsMuch(now: LockedFigures, then: LockedFigures): boolean {
  const isEnough = lockedFigures.every((name) => compare(now[name] ?? '0', then[name] ?? '0') >= 0);
  return now.symbol === then.symbol && isEnough;
}

/** Records that could not be read count too: each may be an order that is still open. */
function hasOnlyCanceled(ended: RequestEnd): boolean {
  if (ended.kind === 'failed') return false;
  const unread = ended.badRecords.map(({ record = null }) =>
    isJsonObject(record) ? record.status : undefined,
  );
  const statuses = [...ended.canceled.map(({ status }) => status), ...unread];
  return statuses.every((status) => typeof status === 'string' && isCanceled(status));
}

/** Exchanges differ in case and spelling. */
export function isCanceled(status: string): boolean {
  return /^\s*cancell?ed\s*$/i.test(status);
}

/** Something keeps a confirmed request from being sent. */
export function notSentBecause(detail: string | Phrase): RequestEnd {
  return {
    kind: 'failed',
    failure: { kind: 'configuration', sent: 'no', operation: 'cancelAll', detail },
  };
}

/**
 * An internal error after the request left must not hide that it left. A pause without an end, as of a
 * damaged limit, cannot be stored.
 */
export function failureOf(thrown: unknown, operation: 'cancelAll' | 'accounts'): Failure {
  if (thrown instanceof ExchangeError) {
    const { retryAfterMs, ...failure } = thrown.failure;
    return Number.isFinite(retryAfterMs) ? thrown.failure : failure;
  }
  return { kind: 'network', sent: 'maybe', operation, detail: phrase('internal error') };
}

/** A gateway may answer with these although the exchange acted. */
const ambiguousStatuses: readonly number[] = [408, 409, 421, 425, 429, 499];

const result = String.raw`\b(?:stat(?:us|e)|results?|outcome|execution)\b`;
const doubt = String.raw`\b(?:un(?:known|certain|clear|determined|confirmed)|(?:(?:can)?not|n[’']t|unable to) (?:yet |be )*(?:know|sure|certain|clear|tell|confirm|determine|verif)[a-z]*)\b`;
/** An exchange does not know itself whether it acted: in words of `spacedWords`, which take the sign of a code too. */
const unknownResult = new RegExp(
  [
    `${result}[^.]*${doubt}|${doubt}[^.]*${result}|${doubt} (?:whether|if|error)\\b`,
    `\\b(?:may|might|could)(?: or may not)?(?: still| already)? have (?:been (?!expired|revoked|blocked|banned|disabled|deleted|restricted)|cancel|complet|execut|process|succe)`,
    `\\b(?:being|still) (?:be )?(?:cancel|complet|execut|handl|process)|\\b(?:request|cancel\\w*|orders?|operation) (?:is |are )?(?:already )?(?:in progress|processing)\\b`,
    'timed? ?out(?![a-z]| of)|\\bdoes not (?:mean|indicate)\\b|^ 100[67]$',
  ].join('|'),
  'i',
);
/** What is wrong with the request, as in `unknown parameter: status`. */
const wrongInput =
  /\b(?:unknown|invalid|illegal|bad|unexpected|unrecogni[sz]ed|unsupported|missing) (?:(?!(?:for|of|on|in|at|by|with|the) )\w+ )?(?:param(?:eter)?|argument|field|property|symbol|market|key|path|value)s?\b[^.,;]*|\b(?:param(?:eter)?|argument|field|property) \S+(?: \S+)? unknown\b/gi;

/**
 * A 4xx whose body could be read proves that nothing was done, unless it says that this is unknown. A
 * report of a passed limit proves nothing, whatever its status: it may come from a gateway.
 */
function isRefusal({ kind, status = 0, serverWords, serverCode }: Failure): boolean {
  const isClear = status >= 400 && status < 500 && !ambiguousStatuses.includes(status);
  const said = [serverWords, serverCode].filter((text) => text !== undefined);
  const results = said.map((text) => spacedWords(text).replaceAll(wrongInput, ''));
  const isCertain = said.length > 0 && !results.some((text) => unknownResult.test(text));
  return isClear && isCertain && (kind === 'auth' || kind === 'refused');
}
