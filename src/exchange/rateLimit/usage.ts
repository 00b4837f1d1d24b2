import { maxPacedWindowMs, ownShare } from './admission.ts';
import { reservedWeight } from './priority.ts';
import { activeEntries, limitsOf, totalWeight, type RateLimitState } from './rateLimitState.ts';

/** Usage of the limit that is closest to exhausted, in weight. */
export type RateLimitUsage = {
  /** When this was so, in epoch milliseconds. */
  readonly at: number;
  /** By everybody, as far as known: DELETEs and other programs may use more than the share. */
  readonly used: number;
  readonly ownShare: number;
  readonly limit: number;
  readonly windowMs: number;
  /** Epoch milliseconds; undefined unless the exchange asked for a pause. */
  readonly pausedUntil: number | undefined;
  /** How many requests of this window wait for weight. */
  readonly waiting: number;
  /** While true, each window only reads the account once a minute and sends cancel-alls. */
  readonly isUnshared: boolean;
};

type WeightUsage = Pick<RateLimitUsage, 'used' | 'ownShare' | 'limit' | 'windowMs'>;

export function tightestUsage(state: RateLimitState, share: number, now: number): WeightUsage {
  const usages = limitsOf(state).map((limit): WeightUsage => {
    const { weight, windowMs } = limit;
    const used = totalWeight(activeEntries(state, windowMs, now));
    return { used, ownShare: ownShare(limit, share), limit: weight, windowMs };
  });
  const [tightest = { used: 0, ownShare: 0, limit: 0, windowMs: 0 }] = usages.toSorted(
    (one, other) => other.used / other.limit - one.used / one.limit,
  );
  return tightest;
}

/**
 * How long bulk requests of this weight take at their pace. A limit per day sets none: they go while it
 * has room.
 */
export function leastBulkMs(
  weight: number,
  { ownShare: own, windowMs }: Pick<RateLimitUsage, 'ownShare' | 'windowMs'>,
): number {
  const budget = Math.max(1, own - reservedWeight('bulk', own));
  return windowMs > maxPacedWindowMs ? 0 : (weight * windowMs) / budget;
}
