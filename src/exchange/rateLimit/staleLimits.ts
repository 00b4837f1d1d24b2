import { maxPacedWindowMs } from './admission.ts';
import { assumedLimit, heaviestRequest, type WeightLimit } from './limits.ts';
import { activeEntries, limitsOf, totalWeight, type RateLimitState } from './rateLimitState.ts';

/**
 * The state after the exchange refused a request that our own count allows: the limits are lower than
 * known, or others use them too. Until they are read again, half of what was sent in their window is
 * assumed. Limits per hour or day stay: to halve them could hold up a cancel-all for as long.
 */
export function doubtLimits(state: RateLimitState, share: number, now: number): RateLimitState {
  const limits = limitsOf(state);
  const sentIn = (windowMs: number): number =>
    totalWeight(activeEntries(state, windowMs, now).filter(({ isForeign }) => !isForeign));
  const isExplained = limits.some(
    ({ weight, windowMs }) => totalWeight(activeEntries(state, windowMs, now)) > weight,
  );
  if (isExplained) return state;
  const { short = [assumedLimit], long = [] } = Object.groupBy(limits, ({ windowMs }) =>
    windowMs <= maxPacedWindowMs ? 'short' : 'long',
  );
  const halved = short.map(({ weight, windowMs }): WeightLimit => {
    const sent = sentIn(windowMs);
    const least = leastAssumed(share);
    const half = sent < least ? weight : Math.max(Math.floor(sent / 2), least);
    return { windowMs, weight: Math.min(weight, half) };
  });
  return { ...state, limits: [...halved, ...long], learnedAt: staleSince };
}

/** Older than any read: the limits are read again before anything else. */
export const staleSince = 0;

export function areLimitsStale({ learnedAt }: RateLimitState): boolean {
  return learnedAt === staleSince;
}

/**
 * The share of it holds any request beside the reserves, so that what waits is not refused for good. If
 * less was sent, others exceeded the limit.
 */
function leastAssumed(share: number): number {
  return Math.ceil((3 * heaviestRequest) / share);
}
