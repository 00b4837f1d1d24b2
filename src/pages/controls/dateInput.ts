import { dayMs, secondMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';

/** `2026-11-20`, `2026-11-20T10:00` or `2026-11-20 10:00:00`. */
const inputFormat = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/;

/**
 * The instant in UTC, to the second (`2026-11-20T10:00:00.000Z`); null for an invalid value. A day
 * without a time is its first or its last second.
 */
export function parseDateTimeInput(
  value: string,
  zone: TimeZone,
  secondOfDay: 'first' | 'last' = 'first',
): string | null {
  const [, day, time] = inputFormat.exec(value.trim()) ?? [];
  const clockMs = Date.parse(`${day}T${time ?? '00:00'}Z`);
  // `Date.parse` reads the 30th of February as the 2nd of March.
  if (day === undefined || Number.isNaN(clockMs) || !isoText(clockMs).startsWith(day)) return null;
  const epochMs =
    time === undefined && secondOfDay === 'last'
      ? zone.toEpochMs(clockMs + dayMs) - secondMs
      : zone.toEpochMs(Math.floor(clockMs / secondMs) * secondMs);
  return isoText(epochMs);
}

/** In ISO 8601, without seconds if they are zero; empty if the field cannot hold the year. */
export function dateTimeInputValue(instant: string, zone: TimeZone): string {
  const epochMs = Date.parse(instant);
  if (Number.isNaN(epochMs)) return '';
  const local = isoText(zone.toLocalMs(epochMs)).slice(0, 19);
  return inputFormat.test(local) ? local.replace(/(T\d\d:\d\d):00$/, '$1') : '';
}

function isoText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
