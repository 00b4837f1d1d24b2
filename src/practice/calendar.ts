const dayMs = 24 * 60 * 60_000;
const weekMs = 7 * dayMs;
/** 1970-01-05, the first Monday of the Unix epoch. */
const firstMonday = 4 * dayMs;

/** The Monday 00:00 UTC at or before `time`: the account's books open there. */
export function weekStart(time: number): number {
  return firstMonday + Math.floor((time - firstMonday) / weekMs) * weekMs;
}

/** Where the histories begin: with the week that was running 90 days before `now`. */
export function historyStart(now: number): number {
  return weekStart(now - 90 * dayMs);
}
