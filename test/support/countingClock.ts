import { systemClock, type Clock } from '../../src/base/time.ts';

/** The system's clock, which knows how many of its timers wait: what nobody cancelled shows at once. */
export class CountingClock implements Clock {
  private readonly timers = new Set<object>();

  get waiting(): number {
    return this.timers.size;
  }

  now(): number {
    return systemClock.now();
  }

  steadyNow(): number {
    return systemClock.steadyNow();
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = {};
    this.timers.add(timer);
    const cancel = systemClock.after(delayMs, () => {
      this.timers.delete(timer);
      callback();
    });
    return () => {
      this.timers.delete(timer);
      cancel();
    };
  }
}
