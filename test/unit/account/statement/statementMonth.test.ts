import assert from 'node:assert/strict';
import {
  dateText,
  dayIn,
  monthAt,
  monthBefore,
  monthsOf,
} from '../../../../src/account/statement/statementMonth.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';

describe('a month of a statement', () => {
  const berlin = new TimeZone('Europe/Berlin');

  it('begins and ends at midnight of its zone', () => {
    const { name, from, to } = monthAt(Date.parse('2026-10-15T00:00:00Z'), berlin);
    assert.deepEqual(
      [name, new Date(from).toISOString(), new Date(to).toISOString()],
      ['2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    );
  });

  it('follows the one before, also over the end of a year', () => {
    const january = monthAt(Date.parse('2026-01-01T00:00:00Z'), berlin);
    const december = monthBefore(january);
    assert.deepEqual([december.name, december.to], ['2025-12', january.from]);
  });

  it('is listed if the period touches it, newest first', () => {
    const period = {
      from: Date.parse('2025-11-30T22:59:00Z'),
      to: Date.parse('2026-01-31T23:00Z'),
    };
    const names = monthsOf(period, berlin).map(({ name }) => name);
    assert.deepEqual(names, ['2026-01', '2025-12', '2025-11']);
    assert.deepEqual(monthsOf({ from: 5, to: 5 }, berlin), []);
  });

  it('has days that never go back, even where midnight comes twice', () => {
    const beirut = new TimeZone('Asia/Beirut');
    const month = monthAt(Date.parse('2025-10-15T00:00:00Z'), beirut);
    // On 26 October 2025 at 00:00, the clocks went back to 23:00 of the 25th.
    const secondMidnight = Date.parse('2025-10-25T22:00:00Z');
    const before = dayIn(month, secondMidnight - hourMs - minuteMs, month.firstDay);
    const again = dayIn(month, secondMidnight - minuteMs, before);
    const after = dayIn(month, secondMidnight, again);
    assert.deepEqual([before, again, after].map(dateText), [
      '2025-10-25',
      '2025-10-25',
      '2025-10-26',
    ]);
    assert.equal(dayIn(month, secondMidnight - minuteMs, after), after);
    assert.equal(dateText(dayIn(month, month.to + hourMs, month.firstDay)), '2025-10-31');
  });
});
