import assert from 'node:assert/strict';
import { Display } from '../../../../src/base/display.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import { partOfPeriodText } from '../../../../src/host/text/partOfPeriodText.ts';
import { aDisplay } from '../../../support/display.ts';

const start = Date.UTC(2026, 9, 1);

function partOf(wholeMs: number, ...parts: readonly (readonly [number, number])[]): string {
  const intervals = parts.map(([from, to]) => ({ from: start + from, to: start + to }));
  return partOfPeriodText(intervals, { from: start, to: start + wholeMs }, aDisplay());
}

describe('how much of a period there is', () => {
  it('is counted in days', () => {
    assert.equal(partOf(90 * dayMs, [0, 42 * dayMs]), '42 of 90 days');
    assert.equal(partOf(90 * dayMs, [0, dayMs], [3 * dayMs, 5 * dayMs]), '3 of 90 days');
    assert.equal(partOf(2000 * dayMs, [0, 1500 * dayMs]), '1,500 of 2,000 days');
  });

  it('is in hours or minutes if it is less than a day', () => {
    assert.equal(partOf(30 * dayMs, [0, 6 * minuteMs]), '6 minutes of 30 days');
    assert.equal(partOf(30 * dayMs, [0, hourMs]), '1 hour of 30 days');
    assert.equal(partOf(30 * dayMs, [0, 23.9 * hourMs]), '23 hours of 30 days');
    assert.equal(partOf(30 * dayMs, [0, 1000]), 'less than a minute of 30 days');
    assert.equal(partOf(30 * dayMs), '0 of 30 days');
  });

  it('is of hours or minutes if the whole is no more than a day', () => {
    assert.equal(partOf(dayMs, [0, 6 * hourMs]), '6 of 24 hours');
    assert.equal(partOf(14.5 * hourMs, [0, 5 * minuteMs]), '5 minutes of 15 hours');
    assert.equal(partOf(hourMs, [0, 12 * minuteMs]), '12 of 60 minutes');
    assert.equal(partOf(20 * 1000), '0 of 1 minute');
  });

  it('never says that all of it is there, and leaves out what is outside', () => {
    assert.equal(partOf(30 * dayMs, [0, 30 * dayMs - 1]), '29 of 30 days');
    assert.equal(partOf(29.3 * dayMs, [0, 29.2 * dayMs]), '29 of 30 days');
    assert.equal(partOf(30 * dayMs, [-10 * dayMs, 2 * dayMs]), '2 of 30 days');
  });

  it('says of a period without a start what is known of its length', () => {
    const all = { from: 0, to: start };
    const textOf = (...parts: { readonly from: number; readonly to: number }[]): string =>
      partOfPeriodText(parts, all, aDisplay());
    const last = (from: number, to = 0) => ({ from: start - from * dayMs, to: start - to * dayMs });
    assert.equal(textOf(last(90)), '90 days, earlier unknown');
    assert.equal(textOf(last(90, 80), last(32)), '42 of 90 days, earlier unknown');
    assert.equal(textOf({ from: 0, to: start - 2.5 * dayMs }), 'all but 3 days');
    assert.equal(textOf({ from: 0, to: start - hourMs }), 'all but 1 hour');
    assert.equal(textOf(), 'none of it');
  });

  it('counts the days of the zone, whichever length they have', () => {
    const { settings } = aDisplay();
    const display = new Display({ ...settings, timeZone: 'Europe/Berlin' });
    const [from, to] = [Date.UTC(2026, 9, 19, 22), Date.UTC(2026, 9, 29, 23)];
    assert.equal(
      partOfPeriodText([{ from, to: to - 2 * dayMs }], { from, to }, display),
      '8 of 10 days',
    );
  });
});
