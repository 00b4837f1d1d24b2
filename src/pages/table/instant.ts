/**
 * A UTC date and time as a `datetime-local` control holds it (`2026-11-20T10:00` or with seconds)
 * and as it crosses to the host (`2026-11-20T10:00:00.000Z`).
 */

const localShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** The instant that a control's value names, to the second; null when it names none. */
export function toInstant(local: string): string | null {
  const date = new Date(localShape.test(local) ? `${local}Z` : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : `${date.toISOString().slice(0, 19)}.000Z`;
}

/** The value that shows an instant in a control, in the control's own shortest form. */
export function toLocal(instant: string): string {
  const local = instant.slice(0, 19);
  return toInstant(local) === null ? '' : local.replace(/(T\d\d:\d\d):00$/, '$1');
}
