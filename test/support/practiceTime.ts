import { systemClock, type Clock } from '../../src/base/time.ts';

/** When the practice exchange's clock starts in tests, so that its account is the same on every day. */
export const practiceStart = '2026-03-10T12:00:00Z';

/** Brings it to the practice exchange of a window; past `practiceStart` its clock runs on. */
export const practiceEnvironment = { MARGIN_DESK_PRACTICE_NOW: practiceStart };

/** The same clock for an exchange that a test serves itself. */
export function practiceClock(): Clock {
  const aheadMs = Date.parse(practiceStart) - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + aheadMs };
}
