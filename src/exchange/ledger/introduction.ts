import type { Clock } from '../../base/clock.ts';
import type { Books } from './books.ts';
import { dayMs } from '../../base/durations.ts';

const limitsAgeMs = dayMs;
const pauseMs = 60_000;

/** Has exchange information asked for when the limits are unknown or a day old; one question at a time. */
export class Introduction {
  private readonly clock: Clock;
  private readonly read: () => Books;
  private asked: Promise<void> = Promise.resolve();
  private askAgainAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, read: () => Books) {
    this.clock = clock;
    this.read = read;
  }

  make(ask: () => Promise<unknown>): Promise<void> {
    const now = this.clock.now();
    const { limits, learnedAt } = this.read();
    const isKnown = limits !== null && now - learnedAt < limitsAgeMs;
    if (isKnown || now < this.askAgainAt) return this.asked;
    this.askAgainAt = now + pauseMs;
    this.asked = ask().then(
      () => undefined,
      () => undefined,
    );
    return this.asked;
  }
}
