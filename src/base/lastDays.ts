import { dayMs } from './time.ts';
import type { TimeZone } from './timeZone.ts';

/** From `from` up to but without `to`, in epoch milliseconds. */
type Period = { readonly from: number; readonly to: number };

/** The periods that a user can choose, in days. */
export const periodDays = [1, 7, 30, 90] as const;

/**
 * The local day of an instant and the days before it, `count` in all, each with its real length: 23,
 * 24 or 25 hours. The period ends where the next day begins.
 */
export function lastDays(count: number, epochMs: number, zone: TimeZone): Period {
  const today = Math.floor(zone.toLocalMs(epochMs) / dayMs);
  return {
    from: zone.toEpochMs((today - count + 1) * dayMs),
    to: zone.toEpochMs((today + 1) * dayMs),
  };
}

/** How many days of `periodDays` a period has if it ends today; undefined for any other period. */
export function dayCountOf(
  { from, to }: { readonly [End in keyof Period]: number | undefined },
  epochMs: number,
  zone: TimeZone,
): number | undefined {
  return periodDays.find((count) => {
    const days = lastDays(count, epochMs, zone);
    return days.from === from && days.to === to;
  });
}
