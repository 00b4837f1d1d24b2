import type { Clock } from '../../../src/base/time.ts';

/** A clock that a test moves. */
export type MovableClock = Clock & { moveTo(time: number): void; moveBy(delayMs: number): void };

/** Friday, 2026-11-20, 12:00 UTC. */
export const noon = Date.UTC(2026, 10, 20, 12);
export const dayMs = 86_400_000;

export function movableClock(time = noon): MovableClock {
  let now = time;
  return {
    now: () => now,
    steadyNow: () => now,
    after: () => () => undefined,
    moveTo: (to) => (now = to),
    moveBy: (delayMs) => (now += delayMs),
  };
}
