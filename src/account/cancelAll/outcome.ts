import { phrase } from '../../base/phrase.ts';
import { ExchangeError, type Failure } from '../../exchange/errors.ts';
import type { BadRecord, CanceledOrder, LockedOrders } from '../../exchange/records.ts';

/** How the one request ended: with the orders that the exchange returned, or with a failure. */
export type Ended =
  | {
      readonly kind: 'answered';
      readonly canceled: readonly CanceledOrder[];
      /** Records of the answer that broke their type and are missing above, as they came. */
      readonly badRecords: readonly BadRecord[];
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What the request's end alone proves. It is an axis of its own, apart from what may be tried again. */
export type Fate = 'answered' | 'notSent' | 'refused' | 'unknown';

/** What the read-back finds locked; undefined when it failed or a part of it could not be read. */
export type LockedNow = readonly LockedOrders[] | undefined;

/** What became of a cancel-all, by its fate and the read-back. */
export const outcomes = [
  'notSent',
  'refused',
  'done',
  'partly',
  'unverified',
  'unknownNothingLocked',
  'unknown',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * One order that the exchange returned as such shows that it acted. Records of which none could be
 * read may be anything, errors too.
 */
export function fateOf(ended: Ended): Fate {
  if (ended.kind === 'answered')
    return ended.canceled.length === 0 && ended.badRecords.length > 0 ? 'unknown' : 'answered';
  if (ended.failure.sent === 'no') return 'notSent';
  return isRefusal(ended.failure) ? 'refused' : 'unknown';
}

/**
 * `done`: the exchange answered, and nothing is locked. `partly`: it answered, and something is
 * locked: left over or placed since, the interface does not tell. `unverified`: it answered, and what
 * is locked could not be read. `unknown`: it may have acted. `notSent`, `refused`: it did not.
 */
export function outcomeOf(ended: Ended, locked: LockedNow): Outcome {
  const fate = fateOf(ended);
  switch (fate) {
    case 'notSent':
    case 'refused':
      return fate;
    case 'answered':
      if (locked === undefined) return 'unverified';
      return locked.length === 0 ? 'done' : 'partly';
    case 'unknown':
      return locked?.length === 0 ? 'unknownNothingLocked' : 'unknown';
    default:
      return fate satisfies never;
  }
}

/** A fault of our own after the request left must not hide that it left. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof ExchangeError) return thrown.failure;
  return { kind: 'network', sent: 'maybe', operation: 'cancelAll', detail: phrase('unexpected') };
}

/** Statuses that a gateway gives on behalf of an exchange that may still have acted. */
const unclearStatuses: readonly number[] = [408, 421, 425, 429];

/**
 * A 4xx whose body could be read proves that nothing was done. What says that the limit was passed (by
 * most, 418 beside 429) proves nothing, whatever its status: it need not be the exchange that says it.
 */
function isRefusal({ kind, status = 0, serverWords, serverCode }: Failure): boolean {
  const isClear = status >= 400 && status < 500 && !unclearStatuses.includes(status);
  const isReadable = serverWords !== undefined || serverCode !== undefined;
  return isClear && isReadable && (kind === 'auth' || kind === 'refused');
}
