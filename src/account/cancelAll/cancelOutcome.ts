import { phrase } from '../../base/phrase.ts';
import { ExchangeError, type Failure } from '../../exchange/exchangeError.ts';
import type { BadRecord, CanceledOrder, LockedOrders } from '../../exchange/records.ts';

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
export type LockedReadBack = readonly LockedOrders[] | undefined;

/** By the request's outcome and the read-back. Receipts store these values. */
export const cancelOutcomes = [
  'notSent',
  'refused',
  'done',
  'partly',
  'unverified',
  'unknownNothingLocked',
  'unknown',
] as const;
export type CancelOutcome = (typeof cancelOutcomes)[number];

/**
 * One returned order shows that the exchange acted. Records of which none could be read may be
 * anything, errors too.
 */
function requestOutcome(ended: RequestEnd): RequestOutcome {
  if (ended.kind === 'answered')
    return ended.canceled.length === 0 && ended.badRecords.length > 0 ? 'unknown' : 'answered';
  if (ended.failure.sent === 'no') return 'notSent';
  return isRefusal(ended.failure) ? 'refused' : 'unknown';
}

/**
 * `done`: the exchange answered, and nothing is locked. `partly`: it answered, and something is
 * locked: not cancelled, or placed since. `unverified`: it answered, and what
 * is locked could not be read. `unknown`: it may have acted. `notSent`, `refused`: it did not.
 */
export function cancelOutcome(ended: RequestEnd, locked: LockedReadBack): CancelOutcome {
  const outcome = requestOutcome(ended);
  switch (outcome) {
    case 'notSent':
    case 'refused':
      return outcome;
    case 'answered':
      if (locked === undefined) return 'unverified';
      return locked.length === 0 ? 'done' : 'partly';
    case 'unknown':
      return locked?.length === 0 ? 'unknownNothingLocked' : 'unknown';
  }
}

/** The window was closing before the request was sent. */
export const windowClosed: RequestEnd = {
  kind: 'failed',
  failure: {
    kind: 'configuration',
    sent: 'no',
    operation: 'cancelAll',
    detail: phrase('the window was closing; run it again in a window that stays open'),
  },
};

/** An internal error after the request left must not hide that it left. */
export function failureOf(thrown: unknown, operation: 'cancelAll' | 'accounts'): Failure {
  if (thrown instanceof ExchangeError) return thrown.failure;
  return { kind: 'network', sent: 'maybe', operation, detail: phrase('internal error') };
}

/** A gateway may answer with these although the exchange acted. */
const ambiguousStatuses: readonly number[] = [408, 421, 425, 429];

/**
 * A 4xx whose body could be read proves that nothing was done. A report of a passed limit proves
 * nothing, whatever its status: it may come from a gateway.
 */
function isRefusal({ kind, status = 0, serverWords, serverCode }: Failure): boolean {
  const isClear = status >= 400 && status < 500 && !ambiguousStatuses.includes(status);
  const isReadable = serverWords !== undefined || serverCode !== undefined;
  return isClear && isReadable && (kind === 'auth' || kind === 'refused');
}
