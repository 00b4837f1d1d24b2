import { openEnd, openStart, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { ApiConventions } from './apiConventions.ts';

/** A period as query parameters. */
type EncodedPeriod = {
  readonly parameters: { readonly dateFrom?: string; readonly dateTo?: string };
  /** The longest period that the parameters can mean: a row outside shows that they were ignored. */
  readonly widestPeriod: Interval;
};

/** A date as text, and the half-open period that it can mean. */
type EncodedDate = { readonly text: string } & Interval;
type DateConventions = Pick<ApiConventions, 'dates' | 'dateTo'>;

/** The precision of a date format. */
export function resolutionMs(dates: ApiConventions['dates']): number {
  if (dates === 'isoDate') return dayMs;
  return dates === 'epochS' ? 1000 : 1;
}

/**
 * Writes a period so that it requests every row, whether or not the exchange includes rows at `dateTo`:
 * a format coarser than a millisecond is rounded outward.
 */
export function encodePeriod(
  { from, to }: Interval,
  conventions: DateConventions,
  zone: TimeZone,
): EncodedPeriod {
  const first = from === openStart ? undefined : encodeFrom(from, conventions, zone);
  const last = to === openEnd ? undefined : encodeTo(to, conventions, zone);
  return {
    parameters: {
      ...(first === undefined ? {} : { dateFrom: first.text }),
      ...(last === undefined ? {} : { dateTo: last.text }),
    },
    widestPeriod: { from: first?.from ?? openStart, to: last?.to ?? openEnd },
  };
}

/** Whether a period is written exactly: apart from a row at its end, no row outside can be returned. */
export function isEncodedExactly(
  period: Interval,
  conventions: DateConventions,
  zone: TimeZone,
): boolean {
  const { widestPeriod } = encodePeriod(period, conventions, zone);
  return widestPeriod.from >= period.from && widestPeriod.to <= period.to + 1;
}

function encodeFrom(from: number, { dates }: DateConventions, zone: TimeZone): EncodedDate {
  const repeatedMs = dates === 'isoLocal' ? repeatedClockMs(from, zone) : 0;
  return encodeDate(from, -repeatedMs, dates, zone);
}

/**
 * Writes `to` itself wherever the format can, even if the exchange includes rows at `to`: an exchange
 * may keep times finer than a millisecond, which lie between `to - 1` and `to`.
 */
function encodeTo(to: number, { dates, dateTo }: DateConventions, zone: TimeZone): EncodedDate {
  switch (dates) {
    case 'epochMs':
    case 'isoInstant':
      return encodeDate(to, 0, dates, zone);
    case 'isoLocal':
      return encodeDate(to, repeatedClockMs(to, zone), dates, zone);
    case 'epochS':
      return encodeDate(Math.ceil(to / 1000) * 1000, 0, dates, zone);
    case 'isoDate':
      return encodeDate(to - 1, dateTo === 'inclusive' ? 0 : dayMs, dates, zone);
    default:
      return dates satisfies never;
  }
}

/** Shifts local formats by `localShiftMs` on the clock; the others ignore it. */
function encodeDate(
  epochMs: number,
  localShiftMs: number,
  dates: ApiConventions['dates'],
  zone: TimeZone,
): EncodedDate {
  switch (dates) {
    case 'epochMs':
      return { text: String(epochMs), from: epochMs, to: epochMs + 1 };
    case 'epochS': {
      const seconds = Math.floor(epochMs / 1000);
      return { text: String(seconds), from: seconds * 1000, to: (seconds + 1) * 1000 };
    }
    case 'isoInstant':
      return { text: new Date(epochMs).toISOString(), from: epochMs, to: epochMs + 1 };
    case 'isoLocal': {
      const local = zone.toLocalMs(epochMs) + localShiftMs;
      const [first = epochMs, last = first] = zone.allEpochMs(local);
      return { text: isoText(local), from: first, to: last + 1 };
    }
    case 'isoDate': {
      const midnight = Math.floor((zone.toLocalMs(epochMs) + localShiftMs) / dayMs) * dayMs;
      const [from, to] = [midnight, midnight + dayMs].map((local) => zone.toEpochMs(local));
      return { text: isoText(midnight).slice(0, 10), from: from ?? epochMs, to: to ?? epochMs };
    }
    default:
      return dates satisfies never;
  }
}

/** By how much clocks are set back when they show this local time twice; otherwise 0. */
function repeatedClockMs(epochMs: number, zone: TimeZone): number {
  const [first = 0, second = first] = zone.allEpochMs(zone.toLocalMs(epochMs));
  return second - first;
}

function isoText(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 23);
}

/** The period around a time that a date format writes as the same text. */
export function unitContaining(
  epochMs: number,
  dates: ApiConventions['dates'],
  zone: TimeZone,
): Interval {
  if (dates === 'isoDate') {
    const { from, to } = encodeDate(epochMs, 0, dates, zone);
    return { from, to };
  }
  const stepMs = resolutionMs(dates);
  const from = Math.floor(epochMs / stepMs) * stepMs;
  return { from, to: from + stepMs };
}
