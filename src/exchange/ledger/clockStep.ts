import type { Clock } from '../../base/clock.ts';

/** One moment on two clocks: the one on the wall, and a steady one that nobody sets. */
export type Moment = { readonly wallMs: number; readonly steadyMs: number };

/** What drifts apart within a second of use is no step. */
const tolerableMs = 1000;

export function isInStep(one: Moment, other: Moment): boolean {
  return Math.abs(apartMs(one) - apartMs(other)) < tolerableMs;
}

function apartMs({ wallMs, steadyMs }: Moment): number {
  return wallMs - steadyMs;
}

/**
 * Notices when the clock on the wall was set, or the machine slept: the steady one tells. A moment
 * that another process wrote down lets it notice what happened before it began; that moment is of
 * no use when the machine was started anew since, or when it shows a step back: it may be another
 * machine's.
 */
export class ClockStep {
  private readonly clock: Clock;
  private readonly steadyNow: () => number;
  private before: Moment;

  constructor(clock: Clock, steadyNow: () => number, written: Moment | null) {
    this.clock = clock;
    this.steadyNow = steadyNow;
    const now = this.now();
    const isUseful =
      written && written.steadyMs <= now.steadyMs && apartMs(written) <= apartMs(now);
    this.before = isUseful ? written : now;
  }

  now(): Moment {
    return { wallMs: this.clock.now(), steadyMs: this.steadyNow() };
  }

  /** How far the clock was set since this was asked last, forward or, below 0, back. */
  take(): number {
    const now = this.now();
    if (isInStep(this.before, now)) return 0;
    const jumpMs = apartMs(now) - apartMs(this.before);
    this.before = now;
    return jumpMs;
  }
}
