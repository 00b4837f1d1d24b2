import fc from 'fast-check';
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import type { AnalysisGroup } from '../../../../src/ledger/analysis/analysis.ts';
import { calendarBuckets, dayOfTime } from '../../../../src/ledger/analysis/calendar.ts';

const at = (text: string): number => Date.parse(text);
const hoursOf = (
  period: [string, string],
  zone: string,
  groupBy: AnalysisGroup = 'day',
): number[] =>
  calendarBuckets(
    { from: at(period[0]), to: at(period[1]) },
    new TimeZone(zone),
    groupBy,
  ).buckets.map(({ from, to }) => (to - from) / hourMs);

describe('the buckets of a calendar', () => {
  it('are none for an empty period', () => {
    const { buckets } = calendarBuckets({ from: 5, to: 5 }, new TimeZone('UTC'), 'day');
    assert.deepEqual(buckets, []);
  });

  it('are days of 23, 24 and 25 hours', () => {
    const berlin = 'Europe/Berlin';
    const spring = hoursOf(['2026-03-27T23:00Z', '2026-03-30T22:00Z'], berlin);
    const autumn = hoursOf(['2026-10-23T22:00Z', '2026-10-26T23:00Z'], berlin);
    assert.deepEqual(spring, [24, 23, 24]);
    assert.deepEqual(autumn, [24, 25, 24]);
  });

  it('are cut at the ends of the period', () => {
    assert.deepEqual(hoursOf(['2026-11-20T20:00Z', '2026-11-22T06:00Z'], 'UTC'), [4, 24, 6]);
  });

  it('are weeks from Monday on', () => {
    const hours = hoursOf(['2026-11-20T00:00Z', '2026-12-01T00:00Z'], 'UTC', 'week');
    assert.deepEqual(hours, [3 * 24, 7 * 24, 24]);
  });

  it('are months of the zone', () => {
    const hours = hoursOf(['2026-01-31T23:00Z', '2026-04-30T22:00Z'], 'Europe/Berlin', 'month');
    assert.deepEqual(hours, [28 * 24, 31 * 24 - 1, 30 * 24]);
  });

  it('skip a day that the zone skipped', () => {
    // Samoa moved across the date line: 2011-12-30 was no day there.
    const hours = hoursOf(['2011-12-29T10:00Z', '2011-12-31T10:00Z'], 'Pacific/Apia');
    assert.deepEqual(hours, [24, 24]);
  });

  it('have each moment in one day where clocks are set back over midnight', () => {
    // At 00:01 on 2010-11-07 it was 23:01 on the day before again.
    const hours = hoursOf(['2010-11-06T02:30Z', '2010-11-08T03:30Z'], 'America/St_Johns');
    assert.deepEqual(hours, [24, 25]);
    const inside = hoursOf(['2010-11-07T03:00Z', '2010-11-08T03:30Z'], 'America/St_Johns');
    assert.deepEqual(inside, [24.5]);
  });

  it('are longer than asked for if they would be more than 4,000', () => {
    const years = (count: number) => ({ from: 0, to: count * 365 * dayMs });
    const groupsOf = (count: number, groupBy: AnalysisGroup) =>
      calendarBuckets(years(count), new TimeZone('UTC'), groupBy).groupBy;
    assert.deepEqual(
      [groupsOf(10, 'day'), groupsOf(11, 'day'), groupsOf(80, 'day'), groupsOf(10, 'month')],
      ['day', 'week', 'month', 'month'],
    );
  });

  it('are found by SQLite for every moment', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu'];
    const start = fc.integer({ min: at('2009-01-01'), max: at('2012-01-01') });
    const length = fc.integer({ min: 1, max: 400 * dayMs });
    const database = new DatabaseSync(':memory:');
    const moments = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
    fc.assert(
      fc.property(fc.constantFrom(...zones), start, length, moments, (name, from, long, parts) => {
        const { days } = calendarBuckets({ from, to: from + long }, new TimeZone(name), 'day');
        const edges = days.flatMap(({ from: first, to }) => [first, to - 1]);
        const times = [...edges, ...parts.map((part) => from + Math.floor(part * long))];
        const find = database.prepare(
          `SELECT ${dayOfTime(days)} AS day FROM (SELECT value AS time FROM json_each(?)) ORDER BY time`,
        );
        const found = find.all(JSON.stringify(times)).map(({ day }) => Number(day));
        const wanted = times
          .toSorted((one, other) => one - other)
          .map((time) => days.findIndex((day) => day.from <= time && time < day.to));
        assert.deepEqual(found, wanted);
      }),
      { numRuns: 60 },
    );
    database.close();
  });
});
