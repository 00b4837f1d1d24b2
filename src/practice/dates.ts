import { dayMs } from '../base/durations.ts';

const day = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The first moment, in ms since the Unix epoch, of what a date names: epoch milliseconds or an ISO
 * 8601 instant name one moment, a date without a time names its UTC day. Undefined when malformed.
 */
export function firstMomentOf(date: string): number | undefined {
  if (/^\d{1,15}$/.test(date)) return Number(date);
  const isKnownShape = day.test(date) || instant.test(date);
  return isKnownShape && isOfTheCalendar(date.slice(0, 10)) ? timeOf(date) : undefined;
}

/** The last moment of the same. */
export function lastMomentOf(date: string): number | undefined {
  const first = firstMomentOf(date);
  return first !== undefined && day.test(date) ? first + dayMs - 1 : first;
}

/** `Date.parse` takes 31 days of every month. */
function isOfTheCalendar(date: string): boolean {
  const time = timeOf(date);
  return time !== undefined && new Date(time).toISOString().startsWith(date);
}

function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
