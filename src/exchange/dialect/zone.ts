const dayMs = 86_400_000;

/** A time zone's clocks. Local times are milliseconds as if the clocks showed UTC. */
export class Zone {
  private readonly format: Intl.DateTimeFormat;
  readonly name: string;

  /** Throws a RangeError where nobody knows the zone: see `zoneOf`. */
  constructor(name: string) {
    this.name = name;
    this.format = new Intl.DateTimeFormat('en', {
      timeZone: name,
      calendar: 'iso8601',
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  }

  /** What the clocks show at a moment. */
  localOf(epochMs: number): number {
    return epochMs + this.aheadMs(epochMs);
  }

  /** When the clocks show this: twice where they are set back, never where they are set forward. */
  momentsOf(localMs: number): readonly number[] {
    const [before, after] = [this.aheadMs(localMs - dayMs), this.aheadMs(localMs + dayMs)];
    const moments = [...new Set([localMs - before, localMs - after])];
    return moments.filter((moment) => this.localOf(moment) === localMs).sort((a, b) => a - b);
  }

  /** The first moment of the day whose midnight this is, whether or not the clocks show it. */
  beginningOf(localMidnight: number): number {
    const [first] = this.momentsOf(localMidnight);
    return first ?? localMidnight - this.aheadMs(localMidnight - dayMs);
  }

  private aheadMs(epochMs: number): number {
    const second = Math.floor(epochMs / 1000) * 1000;
    const parts = this.format.formatToParts(second);
    const part = (wanted: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find(({ type }) => type === wanted)?.value);
    const day = Date.UTC(part('year'), part('month') - 1, part('day'));
    return day + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000 - second;
  }
}

/** The zone that an exchange names: by IANA, as `+02:00` or as `UTC+2`; undefined where none is meant. */
export function zoneOf(name: string): Zone | undefined {
  const [, sign, hours = '', minutes = '00'] =
    /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?$/i.exec(name.trim()) ?? [];
  const known = sign === undefined ? name.trim() : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  try {
    return new Zone(/^z$/i.test(known) ? 'UTC' : known);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
