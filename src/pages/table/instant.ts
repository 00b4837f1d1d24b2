import type { TimeZone } from '../../base/timeZone.ts';

/**
 * A date and time as a `datetime-local` control holds it in the shown zone (`2026-11-20T10:00` or
 * with seconds) and as it crosses to the host (`2026-11-20T10:00:00.000Z`).
 */

const localShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** The instant that a control's value names, to the second; null when it names none. */
export function toInstant(local: string, zone: TimeZone): string | null {
  const clockMs = localShape.test(local) ? Date.parse(`${local}Z`) : Number.NaN;
  if (Number.isNaN(clockMs)) return null;
  return new Date(zone.instantAt(Math.floor(clockMs / 1000) * 1000)).toISOString();
}

/** The value that shows an instant in a control, in the control's own shortest form. */
export function toLocal(instant: string, zone: TimeZone): string {
  const epochMs = Date.parse(instant);
  if (Number.isNaN(epochMs)) return '';
  const local = new Date(zone.clockAt(epochMs)).toISOString().slice(0, 19);
  return localShape.test(local) ? local.replace(/(T\d\d:\d\d):00$/, '$1') : '';
}
