import { dayMs } from '../../base/time.ts';

const weekMs = 7 * dayMs;
/** 1970-01-05, the first Monday of the Unix epoch. */
const firstMonday = 4 * dayMs;

/** The Monday 00:00 UTC at or before `time`. */
export function weekStart(time: number): number {
  return firstMonday + Math.floor((time - firstMonday) / weekMs) * weekMs;
}

export function weekEnd(start: number): number {
  return start + weekMs;
}

/** The start of the histories: of the week that was 90 days before `now`. */
export function historyStart(now: number): number {
  return weekStart(now - 90 * dayMs);
}

/** The starts of all weeks of the histories, the current week first. */
export function historyWeeks(now: number): number[] {
  const latest = weekStart(now);
  const count = (latest - historyStart(now)) / weekMs + 1;
  return Array.from({ length: count }, (_, index) => latest - index * weekMs);
}
