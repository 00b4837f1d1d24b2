import { maxPacedWindowMs } from './admission.ts';
import { operations } from '../../api/operations.ts';
import { assumedLimit, heaviestRequest, type WeightLimit } from './limits.ts';
import { activeEntries, limitsOf, totalWeight, type RateLimitState } from './rateLimitState.ts';

/**
 * The state after the exchange refused a request that our own count allows: the limits are lower than
 * known, or others use them too. Until they are read again, half of what was sent in their window is
 * assumed. Limits per hour or day stay: to halve them could hold up a cancel-all for as long.
 */
export function doubtLimits(state: RateLimitState, share: number, now: number): RateLimitState {
  const limits = limitsOf(state);
  const isExplained = limits.some(
    ({ weight, windowMs }) => totalWeight(activeEntries(state, windowMs, now)) > weight,
  );
  if (isExplained) return state;
  const { short = [assumedLimit], long = [] } = Object.groupBy(limits, ({ windowMs }) =>
    windowMs <= maxPacedWindowMs ? 'short' : 'long',
  );
  const isSecond = areLimitsStale(state);
  const least = Math.ceil((isSecond ? leastWeight : ampleWeight) / share);
  const halved = short.map(({ weight, windowMs }): WeightLimit => {
    const own = activeEntries(state, windowMs, now).filter(({ isForeign }) => !isForeign);
    const sent = totalWeight(own);
    const half = isSecond || sent >= least ? Math.max(Math.floor(sent / 2), least) : weight;
    return { windowMs, weight: Math.min(weight, half) };
  });
  return { ...state, limits: [...halved, ...long], learnedAt: staleSince };
}

/** Older than any read: the limits are read again before anything else. */
export const staleSince = 0;

export function areLimitsStale({ limits, learnedAt }: RateLimitState): boolean {
  return limits !== null && learnedAt === staleSince;
}

/** Of our share: any request beside the reserves. A first refusal after less was sent is for what others sent. */
const ampleWeight = 3 * heaviestRequest;
/** A DELETE and one read of the account: every limit that can be kept holds them. */
const leastWeight = operations.cancelAll.weight + operations.accounts.weight;

/** The state in which exchange information can be sent once hardly anything else counts. */
export function withLeastLimits(state: RateLimitState, share: number): RateLimitState {
  const short = limitsOf(state).filter(({ windowMs }) => windowMs <= maxPacedWindowMs);
  const weight = Math.ceil(leastWeight / share);
  return { ...state, limits: short.map(({ windowMs }) => ({ windowMs, weight })) };
}
