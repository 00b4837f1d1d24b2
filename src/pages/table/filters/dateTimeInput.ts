import type { TimeZone } from '../../../base/timeZone.ts';

/** The value of a `datetime-local` input: `2026-11-20T10:00`, or with seconds. */
const inputFormat = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** The instant in UTC, to the second (`2026-11-20T10:00:00.000Z`); null for an invalid value. */
export function parseDateTimeInput(value: string, zone: TimeZone): string | null {
  const clockMs = inputFormat.test(value) ? Date.parse(`${value}Z`) : Number.NaN;
  if (Number.isNaN(clockMs)) return null;
  return new Date(zone.toEpochMs(Math.floor(clockMs / 1000) * 1000)).toISOString();
}

/** Without seconds if they are zero, as the input itself writes it. */
export function dateTimeInputValue(instant: string, zone: TimeZone): string {
  const epochMs = Date.parse(instant);
  if (Number.isNaN(epochMs)) return '';
  const local = new Date(zone.toLocalMs(epochMs)).toISOString().slice(0, 19);
  return inputFormat.test(local) ? local.replace(/(T\d\d:\d\d):00$/, '$1') : '';
}
