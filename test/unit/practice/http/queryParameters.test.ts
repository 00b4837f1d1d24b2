import assert from 'node:assert/strict';
import { startOfDate, endOfDate } from '../../../../src/practice/http/queryParameters.ts';

describe('dates of the practice exchange', () => {
  it('are one moment as epoch milliseconds or ISO 8601 instant', () => {
    const time = Date.UTC(2026, 10, 20, 10, 0, 0, 123);
    for (const date of [`${time}`, '2026-11-20T10:00:00.123Z', '2026-11-20T11:00:00.123+01:00'])
      assert.deepEqual([startOfDate(date), endOfDate(date)], [time, time], date);
  });

  it('are a whole UTC day without a time', () => {
    assert.equal(startOfDate('2026-11-20'), Date.UTC(2026, 10, 20));
    assert.equal(endOfDate('2026-11-20'), Date.UTC(2026, 10, 20, 23, 59, 59, 999));
    assert.equal(endOfDate('2028-02-29'), Date.UTC(2028, 2, 1) - 1);
  });

  for (const wrong of [
    ...['yesterday', '2026-11-20T10:00:00', '2026-11', '2026-11-20Z', '2026-02-29', '2026-13-20'],
    ...['2026-02-31T10:00:00Z', '2026-11-20T25:00:00Z', '1.5', '-1', ' 1', ''],
  ])
    it(`are not "${wrong}"`, () => {
      assert.deepEqual([startOfDate(wrong), endOfDate(wrong)], [undefined, undefined]);
    });
});
