import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/base/time.ts';

type Timer = { dueAt: number; readonly callback: () => void };

/** A clock that stands still until the test moves it. Timers follow its steady time. */
export class FakeClock implements Clock {
  private readonly timers = new Set<Timer>();
  private timeMs: number;
  /** How far the wall clock is ahead of the steady one. */
  private aheadMs: number;

  /** Both clocks show the same at first, unless the machine has run for `uptimeMs`, as real ones have. */
  constructor(startMs = Date.UTC(2026, 0, 1), uptimeMs = startMs) {
    this.timeMs = uptimeMs;
    this.aheadMs = startMs - uptimeMs;
  }

  now(): number {
    return this.timeMs + this.aheadMs;
  }

  steadyNow(): number {
    return this.timeMs;
  }

  /** Somebody sets the wall clock this far ahead, or back. */
  setAhead(ms: number): void {
    this.aheadMs += ms;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueAt: this.timeMs + Math.max(0, delayMs), callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** How many timers wait: what a test asks to see that nothing was left behind. */
  get waiting(): number {
    return this.timers.size;
  }

  /**
   * Moves the time on by `ms` and runs what falls due, earliest first, also timers that those set.
   * After each it lets pending promises settle, so that `await clock.advance(…)` is enough.
   */
  async advance(ms: number): Promise<void> {
    const end = this.timeMs + ms;
    await setImmediate();
    for (let next = this.firstDue(end); next; next = this.firstDue(end)) {
      this.timers.delete(next);
      this.timeMs = Math.max(this.timeMs, next.dueAt);
      next.callback();
      await setImmediate();
    }
    this.timeMs = end;
  }

  /** The machine sleeps: time goes on, and what the timers still had to wait stays. */
  sleep(ms: number): void {
    this.timeMs += ms;
    for (const timer of this.timers) timer.dueAt += ms;
  }

  private firstDue(end: number): Timer | undefined {
    const due = [...this.timers].filter((timer) => timer.dueAt <= end);
    return due.sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}
