import { dayMs } from './durations.ts';

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
 * A time zone, summer time and all. What its clocks show is counted in milliseconds, as the epoch
 * counts them when UTC's clocks show the same.
 */
export class TimeZone {
  readonly name: string;
  private readonly offsets: Intl.DateTimeFormat;

  /** Throws a RangeError for a name that `isTimeZone` denies. */
  constructor(name: string) {
    this.name = name;
    this.offsets = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      timeZoneName: 'longOffset',
    });
  }

  /** How far the clocks are ahead of UTC's at an instant. */
  offsetMs(epochMs: number): number {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(this.offsets.format(epochMs)) ?? [];
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === '-' ? -ahead : ahead) * 1000;
  }

  /** What the clocks show at an instant. */
  clockAt(epochMs: number): number {
    return epochMs + this.offsetMs(epochMs);
  }

  /** The instants at which the clocks show this: two where they are set back, none where they jump. */
  instantsOf(clockMs: number): readonly number[] {
    const around = [clockMs - dayMs, clockMs + dayMs];
    const instants = new Set(around.map((epochMs) => clockMs - this.offsetMs(epochMs)));
    return [...instants]
      .filter((epochMs) => this.clockAt(epochMs) === clockMs)
      .sort((one, other) => one - other);
  }

  /**
   * The instant at which the clocks show `clockMs`: the first of two when they are set back, and as
   * long after a jump as `clockMs` is into what the jump leaves out.
   */
  instantAt(clockMs: number): number {
    return this.instantsOf(clockMs)[0] ?? clockMs - this.offsetMs(clockMs - dayMs);
  }
}

/** A distance from UTC as it is printed: `UTC`, `UTC+1`, `UTC-8`, `UTC+5:30`. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'UTC';
  const [hours = '', minutes, seconds] = new Date(Math.abs(offsetMs))
    .toISOString()
    .slice(11, 19)
    .split(':');
  const finer = [minutes, seconds].join(':').replace(/(?::?00)+$/, '');
  return `UTC${offsetMs < 0 ? '-' : '+'}${Number(hours)}${finer === '' ? '' : `:${finer}`}`;
}
