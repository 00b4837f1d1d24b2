import { dayMs, earliestMs, hourMs, minuteMs } from '../../../base/time.ts';
import type { TimeUnit } from '../historySource.ts';

/** From `from` on, up to but without `to`, in whole units. `from` is null from the first record on. */
export type TimeWindow = { readonly from: number | null; readonly to: number };

export type UnitOf = (timeMs: number) => TimeUnit;

/** No exchange cuts the ends of a range further than to a day, which has up to 25 hours. */
export const maxTruncationMs = 25 * hourMs;

/** Units in which a range is read if its ends cannot be proven in the one that its dates are written in. */
export const coarserUnitsMs = [minuteMs, dayMs] as const;

/** Units to which an exchange may cut the ends of a range: days of every zone begin on a quarter of an hour. */
export const truncationUnitsMs = [minuteMs, 15 * minuteMs] as const;

export function contains({ from, to }: TimeWindow, timeMs: number): boolean {
  return (from === null || timeMs >= from) && timeMs < to;
}

export function lengthOf({ from, to }: TimeWindow): number {
  return to - (from ?? -Infinity);
}

/** In parts, the newest last, if the length of a question is bounded; with room for wider ends. */
export function partsOf(window: TimeWindow, unitOf: UnitOf, longestMs: number): TimeWindow[] {
  if (longestMs === Infinity) return [window];
  const roomMs = longestMs >= 5 * maxTruncationMs ? 2 * maxTruncationMs : longestMs / 2;
  const begin = window.from ?? unitOf(earliestMs).from;
  const parts: TimeWindow[] = [];
  for (let { to } = window; to > begin; to = parts[0]?.from ?? begin) {
    const edge = unitOf(to - (longestMs - roomMs)).to;
    parts.unshift({ from: Math.max(begin, edge < to ? edge : unitOf(to - 1).from), to });
  }
  return parts;
}

/** The part of a window that was read, if one end of it is left to read. */
export function readPart({ from, to }: TimeWindow, left: TimeWindow | undefined): TimeWindow {
  if (!left) return { from, to };
  return left.to < to ? { from: left.to, to } : { from, to: left.from ?? to };
}

/** The parts of a window before and after a unit, without empty ones. */
export function splitOff({ from, to }: TimeWindow, unit: TimeUnit): TimeWindow[] {
  const parts = [
    { from, to: unit.from },
    { from: unit.to, to },
  ];
  return parts.filter((part) => lengthOf(part) > 0);
}
