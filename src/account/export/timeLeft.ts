import { keptFree } from '../../exchange/ledger/priority.ts';
import { pacedWindowMs } from '../../exchange/ledger/rules.ts';
import type { WeightStanding } from '../../exchange/ledger/standing.ts';

/** How far a walk came since it was watched, and how long that took. */
export type Watched = {
  readonly reads: number;
  /** The share that these reads did, and the share that is left; 0 to 1. */
  readonly done: number;
  readonly left: number;
  readonly elapsedMs: number;
};

/**
 * About how long the rest takes: at the pace up to now, but never faster than what the limit gives
 * to bulk, which the first reads do not feel yet. Undefined before anything can be said.
 */
export function timeLeftMs(
  { reads, done, left, elapsedMs }: Watched,
  weight: number,
  standing: Pick<WeightStanding, 'ours' | 'windowMs'>,
): number | undefined {
  if (reads === 0 || done <= 0) return undefined;
  return (reads / done) * left * Math.max(elapsedMs / reads, pacedMs(weight, standing));
}

/** A read's share of a limit. A day's limit sets no pace: bulk takes what it has room for. */
function pacedMs(weight: number, { ours, windowMs }: Pick<WeightStanding, 'ours' | 'windowMs'>) {
  const budget = Math.max(1, ours - keptFree('bulk', ours));
  return windowMs > pacedWindowMs ? 0 : (weight * windowMs) / budget;
}
