import { openEnd, openStart, type Interval } from './interval.ts';
import { dayMs, lastDateMs } from './time.ts';

/** Reading an offset takes long, and the rows of a page are of few days. */
const keptDays = 1000;

/** Whether `name` is a zone that this machine knows: `UTC` or an IANA name such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * A time zone, including daylight saving time. A local time is the number of milliseconds that the
 * epoch time has when UTC's clocks show the same.
 */
export class TimeZone {
  readonly name: string;
  /** Null for UTC, which has none. */
  private readonly offsets: Intl.DateTimeFormat | null;
  private readonly offsetsOfDays = new Map<number, number | null>();

  /** Throws a RangeError for a name that `isTimeZone` rejects. */
  constructor(name: string) {
    this.name = name;
    this.offsets =
      name === 'UTC'
        ? null
        : new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** The offset from UTC at an instant. */
  offsetMs(epochMs: number): number {
    if (!this.offsets) return 0;
    return this.offsetOfDay(Math.floor(epochMs / dayMs)) ?? this.readOffsetMs(epochMs);
  }

  /** Null for a day of UTC on which the clocks change: no zone changes them twice within a day. */
  private offsetOfDay(day: number): number | null {
    const known = this.offsetsOfDays.get(day);
    if (known !== undefined) return known;
    const end = Math.min((day + 1) * dayMs, lastDateMs);
    const [first, last] = [this.readOffsetMs(day * dayMs), this.readOffsetMs(end)];
    const offset = first === last ? first : null;
    if (this.offsetsOfDays.size >= keptDays) this.offsetsOfDays.clear();
    this.offsetsOfDays.set(day, offset);
    return offset;
  }

  private readOffsetMs(epochMs: number): number {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(this.offsets?.format(epochMs) ?? '') ?? [];
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === '-' ? -ahead : ahead) * 1000;
  }

  /** The local time at an instant. */
  toLocalMs(epochMs: number): number {
    return epochMs + this.offsetMs(epochMs);
  }

  /** The instants with this local time: two when the clocks are set back, none when they jump. */
  allEpochMs(clockMs: number): readonly number[] {
    const around = [clockMs - dayMs, clockMs + dayMs];
    const instants = new Set(around.map((epochMs) => clockMs - this.offsetMs(epochMs)));
    return [...instants]
      .filter((epochMs) => this.toLocalMs(epochMs) === clockMs)
      .sort((one, other) => one - other);
  }

  /**
   * The instant with the local time `clockMs`: the first of two when the clocks are set back. A time
   * that a jump skips is as long after the jump as it is into the skipped period.
   */
  toEpochMs(clockMs: number): number {
    return this.allEpochMs(clockMs)[0] ?? clockMs - this.offsetMs(clockMs - dayMs);
  }
}

/** An offset from UTC as text: `UTC`, `UTC+1`, `UTC-8`, `UTC+5:30`. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'UTC';
  const [hours = '', minutes, seconds] = new Date(Math.abs(offsetMs))
    .toISOString()
    .slice(11, 19)
    .split(':');
  const finer = [minutes, seconds].join(':').replace(/(?::?00)+$/, '');
  return `UTC${offsetMs < 0 ? '-' : '+'}${Number(hours)}${finer === '' ? '' : `:${finer}`}`;
}

/** The periods that a user can choose, in days. */
export const periodDays = [1, 7, 30, 90] as const;

/**
 * The local day of an instant and the days before it, `count` in all, each with its real length: 23,
 * 24 or 25 hours. The period ends where the next day begins.
 */
export function lastDays(count: number, epochMs: number, zone: TimeZone): Interval {
  const today = Math.floor(zone.toLocalMs(epochMs) / dayMs);
  return {
    from: zone.toEpochMs((today - count + 1) * dayMs),
    to: zone.toEpochMs((today + 1) * dayMs),
  };
}

/** The local days that a period lies in; an open end stays open. */
export function wholeDays({ from, to }: Interval, zone: TimeZone): Interval {
  return {
    from: from === openStart ? openStart : lastDays(1, from, zone).from,
    to: to === openEnd ? openEnd : lastDays(1, to - 1, zone).to,
  };
}

/** How many days of `periodDays` a period has if it ends today; undefined for any other period. */
export function dayCountOf(
  { from, to }: Interval,
  epochMs: number,
  zone: TimeZone,
): number | undefined {
  return periodDays.find((count) => {
    const days = lastDays(count, epochMs, zone);
    return days.from === from && days.to === to;
  });
}
