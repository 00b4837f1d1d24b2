import { Display } from '../../../../src/base/display.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import { partOfPeriodText } from '../../../../src/host/text/partOfPeriodText.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';

type Part = readonly [from: number, to: number];

const start = Date.UTC(2026, 9, 1);

/** Each part is counted from the start of the period. */
const periods: Readonly<Record<string, readonly [wholeMs: number, ...parts: readonly Part[]]>> = {
  'days of many': [90 * dayMs, [0, 42 * dayMs]],
  'two parts': [90 * dayMs, [0, dayMs], [3 * dayMs, 5 * dayMs]],
  'thousands of days': [2000 * dayMs, [0, 1500 * dayMs]],
  'minutes of days': [30 * dayMs, [0, 6 * minuteMs]],
  'an hour of days': [30 * dayMs, [0, hourMs]],
  'almost a day of days': [30 * dayMs, [0, 23.9 * hourMs]],
  'a second of days': [30 * dayMs, [0, 1000]],
  'nothing of days': [30 * dayMs],
  'hours of a day': [dayMs, [0, 6 * hourMs]],
  'minutes of hours': [14.5 * hourMs, [0, 5 * minuteMs]],
  'minutes of an hour': [hourMs, [0, 12 * minuteMs]],
  'nothing of seconds': [20 * 1000],
  'all but a millisecond': [30 * dayMs, [0, 30 * dayMs - 1]],
  'all but a tenth of a day': [29.3 * dayMs, [0, 29.2 * dayMs]],
  'more before it': [30 * dayMs, [-10 * dayMs, 2 * dayMs]],
};

/** Each part is counted back from the end of a period without a start, in days. */
const sinceEver: Readonly<Record<string, readonly Part[]>> = {
  'the last days of ever': [[90, 0]],
  'two parts of ever': [
    [90, 80],
    [32, 0],
  ],
  'all but days': [[Infinity, 2.5]],
  'all but an hour': [[Infinity, 1 / 24]],
  'nothing of ever': [],
};

describe('how much of a period there is', () => {
  it('is counted in whole units of the zone, and never all of it, nor of an unknown length', () => {
    const display = new Display({ ...aDisplay().settings, timeZone: 'Europe/Berlin' });
    const clockChange = { from: Date.UTC(2026, 9, 19, 22), to: Date.UTC(2026, 9, 29, 23) };
    const ofClockChange = [{ ...clockChange, to: clockChange.to - 2 * dayMs }];
    assertApprovedLines('text/partsOfPeriod', [
      ...Object.entries(periods).map(([name, [wholeMs, ...parts]]) => {
        const intervals = parts.map(([from, to]) => ({ from: start + from, to: start + to }));
        const whole = { from: start, to: start + wholeMs };
        return `${name}: ${partOfPeriodText(intervals, whole, aDisplay())}`;
      }),
      ...Object.entries(sinceEver).map(([name, parts]) => {
        const back = (days: number): number => Math.max(0, start - days * dayMs);
        const intervals = parts.map(([from, to]) => ({ from: back(from), to: back(to) }));
        return `${name}: ${partOfPeriodText(intervals, { from: 0, to: start }, aDisplay())}`;
      }),
      `days around a change of the clock: ${partOfPeriodText(ofClockChange, clockChange, display)}`,
    ]);
  });
});
