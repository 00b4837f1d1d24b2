import { dayMs } from './durations.ts';
import type { TimeZone } from './timeZone.ts';

/** A half-open period in epoch milliseconds: `from` belongs to it, `to` no more. */
export type Period = { readonly from: number; readonly to: number };

/**
 * The day of an instant as a zone's clocks have it and the days before it, `count` in all, each as
 * long as it was: 23 hours, 24 or 25. It ends where the next day begins.
 */
export function lastDays(count: number, epochMs: number, zone: TimeZone): Period {
  const today = Math.floor(zone.clockAt(epochMs) / dayMs);
  return {
    from: zone.instantAt((today - count + 1) * dayMs),
    to: zone.instantAt((today + 1) * dayMs),
  };
}
