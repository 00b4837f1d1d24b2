import fc from 'fast-check';
import assert from 'node:assert/strict';
import { dayMs } from '../../../../src/base/time.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { encodePeriod, resolutionMs } from '../../../../src/exchange/history/dates.ts';
import { maxPeriodMs } from '../../../../src/exchange/history/requestLimits.ts';

describe('the longest period of one request', () => {
  it('is unknown without a bound, and at least a day', () => {
    assert.equal(maxPeriodMs({ maxRangeDays: null, dates: 'isoDate' }), null);
    assert.equal(maxPeriodMs({ maxRangeDays: 7, dates: 'epochMs' }), 7 * dayMs);
    assert.equal(maxPeriodMs({ maxRangeDays: 2, dates: 'isoDate' }), dayMs);
  });

  const formats = ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'] as const;
  for (const dates of formats)
    it(`is not too long once it is written as ${dates}, unless as days at a bound of three or less`, () => {
      fc.assert(
        fc.property(
          fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe'),
          fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
          fc.integer({ min: 4, max: 40 }),
          fc.constantFrom('inclusive', 'exclusive'),
          (zoneName, from, maxRangeDays, dateTo) => {
            const zone = new TimeZone(zoneName);
            const to = from + (maxPeriodMs({ maxRangeDays, dates }) ?? assert.fail());
            const { widestPeriod } = encodePeriod({ from, to }, { dates, dateTo }, zone);
            const written = (at: number) => (dates === 'isoDate' ? zone.toLocalMs(at) : at);
            const end = written(widestPeriod.to) - (dates === 'isoDate' ? 0 : resolutionMs(dates));
            const lengthMs = end - written(widestPeriod.from);
            assert.ok(lengthMs <= maxRangeDays * dayMs, `${lengthMs}`);
          },
        ),
      );
    });
});
