import type { Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';

/** A month of a zone's calendar. */
export type StatementMonth = Interval & {
  /** `2026-10`. */
  readonly name: string;
  readonly zone: TimeZone;
  /** Its first day, and the first of the next month, in days since 1970. */
  readonly firstDay: number;
  readonly endDay: number;
};

export function monthAt(epochMs: number, zone: TimeZone): StatementMonth {
  const local = new Date(zone.toLocalMs(epochMs));
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  const [first, end] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)];
  return {
    name: dateText(first / dayMs).slice(0, -3),
    zone,
    from: zone.toEpochMs(first),
    to: zone.toEpochMs(end),
    firstDay: first / dayMs,
    endDay: end / dayMs,
  };
}

export function monthBefore({ from, zone }: StatementMonth): StatementMonth {
  return monthAt(from - 1, zone);
}

/** The months that a period touches, newest first. */
export function monthsOf({ from, to }: Interval, zone: TimeZone): readonly StatementMonth[] {
  const months: StatementMonth[] = [];
  if (to <= from) return months;
  for (let month = monthAt(to - 1, zone); month.to > from; month = monthBefore(month))
    months.push(month);
  return months;
}

/** `2026-10-01` of a day, in days since 1970. */
export function dateText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, -14);
}

/**
 * The day of the month on which an instant is, not before `earliest`: where clocks are set back at midnight,
 * an evening comes twice, and a date would follow a later one.
 */
export function dayIn(
  { zone, firstDay, endDay }: StatementMonth,
  epochMs: number,
  earliest: number,
) {
  const day = Math.floor(zone.toLocalMs(epochMs) / dayMs);
  return Math.min(Math.max(day, firstDay, earliest), endDay - 1);
}
