import type { Clock } from '../../base/clock.ts';

/** What drifts apart within a second of use is no step. */
const tolerableMs = 1000;

/** Notices when the clock on the wall was set forward, or the machine slept: a steady one tells. */
export class ClockStep {
  private readonly clock: Clock;
  private readonly steadyNow: () => number;
  private apartMs: number;

  constructor(clock: Clock, steadyNow: () => number) {
    this.clock = clock;
    this.steadyNow = steadyNow;
    this.apartMs = clock.now() - steadyNow();
  }

  /** How far the clock has jumped forward since this was asked last; 0 where it has not. */
  take(): number {
    const apartMs = this.clock.now() - this.steadyNow();
    const jumpMs = apartMs - this.apartMs;
    if (Math.abs(jumpMs) < tolerableMs) return 0;
    this.apartMs = apartMs;
    return Math.max(0, jumpMs);
  }
}
