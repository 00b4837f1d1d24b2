import { phrase } from '../../base/phrase.ts';
import { minuteMs } from '../../base/time.ts';
import { ExchangeError } from '../exchangeError.ts';
import { operations } from '../../api/operations.ts';
import type { WeightLimit } from './limits.ts';
import { deleteReserve, reservedWeight, type WeightRequest } from './priority.ts';
import {
  activeEntries,
  expiresAt,
  limitsOf,
  totalWeight,
  type RateLimitState,
  type WeightEntry,
} from './rateLimitState.ts';

/** What admission depends on of a request. */
export type WeightNeed = Pick<WeightRequest, 'operation' | 'weight' | 'priority'>;

const bulkBurst = 50;
/** Of what bulk requests may use: up to here they need no pace, so that a few pages come at once. */
const unpacedPart = 0.5;
/** Longer limits do not pace bulk requests: a day's limit must not stretch an export over the day. */
export const maxPacedWindowMs = 5 * minuteMs;
/** How often each window reads the account while the rate-limit file cannot be written. */
const unsharedReadMs = minuteMs;

/** The part of a limit that ordinary requests of all windows may use together; at least 1. */
export function ownShare({ weight }: WeightLimit, share: number): number {
  return Math.max(1, Math.floor(weight * share));
}

/** What our own requests may add up to with this one: only the DELETE may use the whole limit. */
function ownCap(need: WeightNeed, limit: WeightLimit, share: number): number {
  return need.operation === 'cancelAll' ? limit.weight : ownShare(limit, share);
}

/** What a request leaves free for higher priorities; nothing is above the DELETE. */
function reserveAbove({ operation, priority }: WeightNeed, own: number): number {
  return operation === 'cancelAll' ? 0 : reservedWeight(priority, own);
}

/** The least weight that any limit reserves for cancel-alls and that this request of one may use. */
export function smallestReserve(state: RateLimitState, need: WeightNeed, share: number): number {
  const reserves = limitsOf(state).map((limit) => {
    const own = ownShare(limit, share);
    return reservedWeight('refresh', own) - reserveAbove(need, own);
  });
  return Math.min(...reserves);
}

/**
 * When a request may be sent: a time that is not later than `now` if at once. Requests under way count
 * as long as they can last. Infinity while the rate-limit file cannot be written, for most reads.
 */
export function readyAt(
  state: RateLimitState,
  need: WeightNeed,
  share: number,
  now: number,
): number {
  const pauseEnd = isPauseExempt(state, need) ? 0 : state.pausedUntil;
  const roomAt = limitsOf(state).map((limit) => {
    const weight = need.weight + reserveAbove(need, ownShare(limit, share));
    return fitsAt(state, limit, { weight, cap: ownCap(need, limit, share) }, now);
  });
  const pacedAt = bulkReadyAt(state, need, share, now);
  return Math.max(pauseEnd, unsharedReadyAt(state, need), pacedAt, ...roomAt);
}

/** The same, as if every request under way were answered now. */
export function earliestReadyAt(
  state: RateLimitState,
  need: WeightNeed,
  share: number,
  now: number,
): number {
  const entries = state.entries.map((entry) => ({ ...entry, endsAt: Math.min(entry.endsAt, now) }));
  return readyAt({ ...state, entries }, need, share, now);
}

/**
 * Whether a cancel-all can read its plan now and leave, within the share, what its DELETE and a second
 * one need. The limit beyond the share does not count: a plan must not use up what is left there.
 */
export function hasRoomForPlan(state: RateLimitState, share: number, now: number): boolean {
  return limitsOf(state).every((limit) => {
    const cap = ownShare(limit, share);
    const weight = operations.accounts.weight + deleteReserve(cap);
    return fitsAt(state, limit, { weight, cap }, now) <= now;
  });
}

/** In a pause every DELETE may be sent, as a person confirmed each, and one read-back. */
function isPauseExempt({ passed }: RateLimitState, { operation, priority }: WeightNeed): boolean {
  if (operation === 'cancelAll') return true;
  const hasPassed = passed.some((exemption) => exemption.operation === operation);
  return priority === 'cancel' && operation === 'accounts' && !hasPassed;
}

/** While windows do not see each other, each reads the account now and then, and nothing else. */
function unsharedReadyAt(
  { isUnshared, lastSentAt }: RateLimitState,
  { operation, priority }: WeightNeed,
): number {
  if (!isUnshared || priority === 'cancel') return 0;
  return operation === 'accounts' ? lastSentAt + unsharedReadMs : Number.POSITIVE_INFINITY;
}

/** When this weight fits: our own requests up to `cap`, those of everybody up to the limit. */
function fitsAt(
  state: RateLimitState,
  limit: WeightLimit,
  { weight, cap }: { readonly weight: number; readonly cap: number },
  now: number,
): number {
  const { windowMs } = limit;
  const all = activeEntries(state, windowMs, now);
  const own = all.filter(({ isForeign }) => !isForeign);
  return Math.max(
    freedAt(totalWeight(own) + weight - cap, own, windowMs),
    freedAt(totalWeight(all) + weight - limit.weight, all, windowMs),
  );
}

/** When entries of `excess` weight will have expired; 0 when none has to. */
function freedAt(excess: number, entries: readonly WeightEntry[], windowMs: number): number {
  if (excess <= 0) return 0;
  let left = excess;
  for (const entry of entries.toSorted((a, b) => a.endsAt - b.endsAt)) {
    left -= entry.weight;
    if (left <= 0) return expiresAt(entry, windowMs);
  }
  return Number.POSITIVE_INFINITY;
}

/** At the pace, or as soon as everybody together has used little of each limit. */
function bulkReadyAt(
  state: RateLimitState,
  { weight, priority }: WeightNeed,
  share: number,
  now: number,
): number {
  if (priority !== 'bulk') return 0;
  const burst = Math.max(0, bulkBurst - weight);
  const littleUsedAt = pacedLimits(state).map((limit) => {
    const entries = activeEntries(state, limit.windowMs, now);
    const excess = totalWeight(entries) + weight - unpacedPart * bulkShare(limit, share);
    return freedAt(excess, entries, limit.windowMs);
  });
  return Math.min(
    state.bulkSpentAt - burst * bulkMsPerWeight(state, share),
    Math.max(0, ...littleUsedAt),
  );
}

/** Records that a bulk request is sent, so that the next ones keep the pace. */
export function withBulkPacing(
  state: RateLimitState,
  { weight, priority }: WeightNeed,
  share: number,
  now: number,
): RateLimitState {
  if (priority !== 'bulk') return state;
  const bulkSpentAt = Math.max(state.bulkSpentAt, now) + weight * bulkMsPerWeight(state, share);
  return { ...state, bulkSpentAt };
}

function bulkMsPerWeight(state: RateLimitState, share: number): number {
  const paces = pacedLimits(state).map((limit) => limit.windowMs / bulkShare(limit, share));
  return Math.max(0, ...paces);
}

function pacedLimits(state: RateLimitState): readonly WeightLimit[] {
  return limitsOf(state).filter(({ windowMs }) => windowMs <= maxPacedWindowMs);
}

/** What bulk requests may use of a limit. */
function bulkShare(limit: WeightLimit, share: number): number {
  const own = ownShare(limit, share);
  return Math.max(1, own - reservedWeight('bulk', own));
}

/**
 * Why a request should not wait: the limit can never hold it, it would wait too long even if every
 * request under way were answered now, or the rate-limit file cannot be written.
 */
export function refusalFor(
  state: RateLimitState,
  request: WeightRequest,
  share: number,
  now: number,
  waitUntil: number,
): ExchangeError | undefined {
  const limit = limitsOf(state).find((one) => {
    const room = ownCap(request, one, share) - reserveAbove(request, ownShare(one, share));
    return request.weight > room;
  });
  if (limit) return tooHeavyError(request, limit);
  const earliestAt = earliestReadyAt(state, request, share, now);
  if (Number.isFinite(earliestAt) && earliestAt <= waitUntil) return undefined;
  return unsharedReadyAt(state, request) > now
    ? unsharedError(request)
    : tooLongWaitError(request, earliestAt - now);
}

function tooHeavyError({ operation, weight }: WeightRequest, limit: WeightLimit): ExchangeError {
  const figures = [weight, limit.weight, limit.windowMs / 1000];
  const detail =
    operation === 'cancelAll'
      ? phrase(
          'its weight {0} is more than the limit {1} in {2} s: ask the exchange for a higher limit',
          ...figures,
        )
      : phrase(
          'its weight {0} is more than marginDesk.weightShare leaves of the limit {1} in {2} s: raise that setting, or ask the exchange for a higher limit',
          ...figures,
        );
  return new ExchangeError({ kind: 'configuration', sent: 'no', operation, detail });
}

function unsharedError({ operation }: WeightRequest): ExchangeError {
  const detail = phrase(
    'The rate-limit file cannot be written, so windows cannot count each other’s requests. Until it can, Margin Desk only reads the account once a minute and cancels orders. Free disk space, or make the extension’s storage folder writable.',
  );
  return new ExchangeError({ kind: 'configuration', sent: 'no', operation, detail });
}

/** For a request that would wait, or has waited, too long. */
export function tooLongWaitError({ operation }: WeightRequest, waitMs: number): ExchangeError {
  const advice = Number.isFinite(waitMs) ? { retryAfterMs: Math.max(1000, waitMs) } : {};
  return new ExchangeError({ kind: 'rateLimited', sent: 'no', operation, ...advice });
}
