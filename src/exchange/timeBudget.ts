import type { Clock } from '../base/clock.ts';

/** Time that the requests and pauses of one read share. It runs only while one of them does. */
export class TimeBudget {
  private readonly clock: Clock;
  private remainingMs: number;

  constructor(clock: Clock, totalMs: number) {
    this.clock = clock;
    this.remainingMs = totalMs;
  }

  get leftMs(): number {
    return Math.max(0, this.remainingMs);
  }

  /** Does something that has to end by itself within the time that is left. */
  async spend<Value>(work: (leftMs: number) => Promise<Value>): Promise<Value> {
    const startedAt = this.clock.now();
    try {
      return await work(this.leftMs);
    } finally {
      this.remainingMs -= this.clock.now() - startedAt;
    }
  }
}
