import assert from 'node:assert/strict';
import { dayMs } from '../../src/base/time.ts';
import { TimeZone } from '../../src/base/timeZone.ts';

const hourMs = 3_600_000;
const [from, to] = [Date.UTC(2000, 0, 1), Date.UTC(2031, 0, 1)];

/**
 * Compares `TimeZone` with the clock of this process in every zone, at each hour of the days of UTC from
 * 2000 to 2030 on which the offset, sampled every `stepMs`, changes. Returns how many such days there are.
 */
export function compareOffsets(stepMs: number): number {
  const before = process.env.TZ;
  let changes = 0;
  try {
    for (const name of Intl.supportedValuesOf('timeZone')) {
      process.env.TZ = name;
      const zone = new TimeZone(name);
      const days = daysOfChanges(stepMs);
      changes += days.size;
      for (const day of days)
        for (let at = day; at < day + dayMs; at += hourMs)
          assert.equal(
            zone.offsetMs(at),
            clockOffsetMs(at),
            `${name} ${new Date(at).toISOString()}`,
          );
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
  return changes;
}

function daysOfChanges(stepMs: number): ReadonlySet<number> {
  const days = new Set<number>();
  for (let at = from; at < to; at += stepMs)
    if (clockOffsetMs(at) !== clockOffsetMs(at + stepMs)) days.add(dayOfChange(at, at + stepMs));
  return days;
}

/** Halves a period until what is left lies in one day. */
function dayOfChange(begin: number, end: number): number {
  if (end - begin <= dayMs) return startOfDay(begin);
  const middle = startOfDay((begin + end) / 2);
  return clockOffsetMs(begin) === clockOffsetMs(middle)
    ? dayOfChange(middle, end)
    : dayOfChange(begin, middle);
}

function startOfDay(epochMs: number): number {
  return Math.floor(epochMs / dayMs) * dayMs;
}

function clockOffsetMs(epochMs: number): number {
  return (0 - new Date(epochMs).getTimezoneOffset()) * 60_000;
}
