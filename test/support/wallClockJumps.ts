import { dayMs, hourMs, secondMs } from '../../src/base/time.ts';

/** How far somebody sets the wall clock ahead, or back. */
export const wallClockJumps: readonly (readonly [name: string, aheadMs: number])[] = (
  [
    ['31 s', 31 * secondMs],
    ['an hour', hourMs],
    ['a day', dayMs],
  ] as const
).flatMap(([name, ms]) => [
  [`set ahead by ${name}`, ms] as const,
  [`set back by ${name}`, -ms] as const,
]);
