import { isTimeZone, TimeZone } from '../../base/timeZone.ts';

/** The zone that an exchange names: by IANA, as `+02:00` or as `UTC+2`; undefined where none is meant. */
export function zoneOf(name: string): TimeZone | undefined {
  const [, sign, hours = '', minutes = '00'] =
    /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?$/i.exec(name.trim()) ?? [];
  const known = sign === undefined ? name.trim() : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const meant = /^z$/i.test(known) ? 'UTC' : known;
  return isTimeZone(meant) ? new TimeZone(meant) : undefined;
}

/** The clocks by which an exchange reads and writes local dates. */
export type Zone = TimeZone;
