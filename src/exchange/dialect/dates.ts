import { dayMs } from '../../base/durations.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { Dialect } from './dialect.ts';

/** From `from` on, up to but without `to`, in epoch milliseconds; open where an end is missing. */
export type Period = { readonly from?: number; readonly to?: number };

/** A period as it is sent. */
export type WrittenRange = {
  readonly written: { readonly dateFrom?: string; readonly dateTo?: string };
  /** What the written dates can mean at most: a row outside shows that they were not heeded. */
  readonly widest: Required<Period>;
};

/** A date as it is written, and the moments that it can stand for: from `from` on, without `to`. */
type Written = { readonly text: string } & Required<Period>;
type Reading = Pick<Dialect, 'dates' | 'dateTo'>;

/** The steps in which a form of dates tells moments apart. */
export function resolutionMs(dates: Dialect['dates']): number {
  if (dates === 'isoDate') return dayMs;
  return dates === 'epochS' ? 1000 : 1;
}

/**
 * Writes a period so that every row in it is asked for, whether the exchange counts a row at
 * `dateTo` in or not: outward where the form is coarser than a millisecond.
 */
export function writeRange({ from, to }: Period, reading: Reading, zone: TimeZone): WrittenRange {
  const first = from === undefined ? undefined : writeFrom(from, reading, zone);
  const last = to === undefined ? undefined : writeTo(to, reading, zone);
  return {
    written: {
      ...(first === undefined ? {} : { dateFrom: first.text }),
      ...(last === undefined ? {} : { dateTo: last.text }),
    },
    widest: { from: first?.from ?? -Infinity, to: last?.to ?? Infinity },
  };
}

/** Whether a period is asked for as it is: but for a row at its very end, nothing outside can be answered. */
export function isWrittenExactly(
  period: Required<Period>,
  reading: Reading,
  zone: TimeZone,
): boolean {
  const { widest } = writeRange(period, reading, zone);
  return widest.from >= period.from && widest.to <= period.to + 1;
}

function writeFrom(from: number, { dates }: Reading, zone: TimeZone): Written {
  const repeatedMs = dates === 'isoLocal' ? repeatedFor(from, zone) : 0;
  return write(from, -repeatedMs, dates, zone);
}

/**
 * `to` itself is named wherever a form can, also where a row at it would be in the answer: an
 * exchange may hold times that are finer than a millisecond, and these lie between `to - 1` and `to`.
 */
function writeTo(to: number, { dates, dateTo }: Reading, zone: TimeZone): Written {
  switch (dates) {
    case 'epochMs':
    case 'isoInstant':
      return write(to, 0, dates, zone);
    case 'isoLocal':
      return write(to, repeatedFor(to, zone), dates, zone);
    case 'epochS':
      return write(Math.ceil(to / 1000) * 1000, 0, dates, zone);
    case 'isoDate':
      return write(to - 1, dateTo === 'inclusive' ? 0 : dayMs, dates, zone);
    default:
      return dates satisfies never;
  }
}

/** Writes what the clocks show `localShiftMs` after they show this moment; only local forms are shifted. */
function write(
  epochMs: number,
  localShiftMs: number,
  dates: Dialect['dates'],
  zone: TimeZone,
): Written {
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
      const local = zone.clockAt(epochMs) + localShiftMs;
      const [first = epochMs, last = first] = zone.instantsOf(local);
      return { text: isoText(local), from: first, to: last + 1 };
    }
    case 'isoDate': {
      const midnight = Math.floor((zone.clockAt(epochMs) + localShiftMs) / dayMs) * dayMs;
      const [from, to] = [midnight, midnight + dayMs].map((local) => zone.instantAt(local));
      return { text: isoText(midnight).slice(0, 10), from: from ?? epochMs, to: to ?? epochMs };
    }
    default:
      return dates satisfies never;
  }
}

/** By how much the clocks were or will be set back where they show the same twice; else 0. */
function repeatedFor(epochMs: number, zone: TimeZone): number {
  const [first = 0, second = first] = zone.instantsOf(zone.clockAt(epochMs));
  return second - first;
}

function isoText(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 23);
}

/** The step of a form that a moment lies in: the same text is written for all of it. */
export function stepOf(epochMs: number, dates: Dialect['dates'], zone: TimeZone): Required<Period> {
  if (dates === 'isoDate') {
    const { from, to } = write(epochMs, 0, dates, zone);
    return { from, to };
  }
  const stepMs = resolutionMs(dates);
  const from = Math.floor(epochMs / stepMs) * stepMs;
  return { from, to: from + stepMs };
}
