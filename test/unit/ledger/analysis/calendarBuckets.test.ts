import assert from 'node:assert/strict';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import type { AnalysisGroup } from '../../../../src/ledger/analysis/analysis.ts';
import { calendarBuckets } from '../../../../src/ledger/analysis/calendar.ts';

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
});
