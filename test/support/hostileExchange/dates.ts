import type { Reading } from './reading.ts';

const dayMs = 86_400_000;
const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** The period that a date names: its first epoch millisecond and its length. */
export type Named = { readonly at: number; readonly forMs: number };

/** Reads a date in a format that the server understands; undefined for any other. */
export function readDate(text: string, reading: Reading): Named | undefined {
  const named = namedBy(text, reading);
  if (named === undefined || Number.isNaN(named.at)) return undefined;
  return reading.cutsToSeconds ? { ...named, at: Math.floor(named.at / 1000) * 1000 } : named;
}

function namedBy(text: string, reading: Reading): Named | undefined {
  const { dates, days } = reading;
  if (/^\d{1,15}$/.test(text)) return readNumber(text, dates);
  if (instant.test(text) && dates.includes('isoInstant')) return { at: Date.parse(text), forMs: 1 };
  if (local.test(text) && dates.includes('isoLocal'))
    return { at: momentOf(text, reading), forMs: 1 };
  if (!day.test(text) || !dates.includes('isoDate')) return undefined;
  const at = momentOf(`${text}T00:00`, reading);
  if (days === 'midnight') return { at, forMs: 1 };
  const next = new Date(Date.parse(text) + dayMs).toISOString().slice(0, 10);
  return { at, forMs: momentOf(`${next}T00:00`, reading) - at };
}

function readNumber(text: string, dates: Reading['dates']): Named | undefined {
  const [ms, s] = [dates.includes('epochMs'), dates.includes('epochS')];
  if (ms && (!s || text.length > 11)) return { at: Number(text), forMs: 1 };
  return s ? { at: Number(text) * 1000, forMs: 1000 } : undefined;
}

/** The moment of a local time in that zone; a nearby one if it never occurs. */
function momentOf(localTime: string, { timezone, repeatedHour }: Reading): number {
  const asUtc = Date.parse(`${localTime}Z`);
  if (Number.isNaN(asUtc) || timezone === 'UTC') return asUtc;
  // Made once: that takes longer than all the rest.
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  const [earlier, later] = [asUtc - dayMs, asUtc + dayMs].map((at) => asUtc - aheadMs(at, format));
  const moments = [earlier, later].filter((at = 0) => at + aheadMs(at, format) === asUtc);
  const named = repeatedHour === 'first' ? moments[0] : moments.at(-1);
  return named ?? later ?? asUtc;
}

/** How far the clocks of the format's zone are ahead of UTC at a moment. */
function aheadMs(at: number, format: Intl.DateTimeFormat): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** A time as JSON text, in the unit in which the server writes times. */
export function writeTime(at: number, { times }: Reading): string {
  if (times === 'us') return String(Math.round(at * 1000));
  return String(Math.floor(times === 's' ? at / 1000 : at));
}
