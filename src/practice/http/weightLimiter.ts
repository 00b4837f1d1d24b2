import { minuteMs, type Clock } from '../../base/time.ts';

/** Limits the request weight of the last 60 seconds (section 8 of the API document). */
export class WeightLimiter {
  private readonly limit: number;
  private readonly clock: Clock;
  private taken: readonly { readonly time: number; readonly weight: number }[] = [];

  constructor(limit: number, clock: Clock) {
    this.limit = limit;
    this.clock = clock;
  }

  /** Takes the weight and returns 0, or takes nothing and returns the milliseconds to wait. */
  take(weight: number): number {
    const now = this.clock.now();
    this.taken = this.taken.filter(({ time }) => time > now - minuteMs);
    const waitMs = this.waitFor(weight, now);
    if (waitMs === 0) this.taken = [...this.taken, { time: now, weight }];
    return waitMs;
  }

  private waitFor(weight: number, now: number): number {
    let excess = this.taken.reduce((sum, entry) => sum + entry.weight, weight) - this.limit;
    if (excess <= 0) return 0;
    for (const entry of this.taken) {
      excess -= entry.weight;
      if (excess <= 0) return entry.time + minuteMs - now;
    }
    return minuteMs;
  }
}
