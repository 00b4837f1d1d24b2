import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolutionMs, writeRange } from '../../../../src/exchange/dialect/dates.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { pageAmong, slicesOf } from '../../../../src/exchange/dialect/slices.ts';

const dayMs = 86_400_000;

describe('slices of a period', () => {
  const anyPeriod = fc
    .tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: 400 * dayMs }))
    .map(([from, lengthMs]) => ({ from, to: from + lengthMs }));

  it('are the whole period, none overlaps another and none is too long', () => {
    fc.assert(
      fc.property(
        anyPeriod,
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom('newestFirst', 'oldestFirst', 'none'),
        (period, maxRangeDays, sort) => {
          const slices = slicesOf(period, { maxRangeDays, sort, dates: 'epochMs' });
          const inTime = sort === 'oldestFirst' ? slices : slices.toReversed();
          assert.equal(inTime[0]?.from, period.from);
          assert.equal(inTime.at(-1)?.to, period.to);
          for (const [index, { from, to }] of inTime.entries()) {
            assert.ok(to - from <= maxRangeDays * dayMs);
            if (index > 0) assert.equal(from, inTime[index - 1]?.to);
          }
        },
      ),
    );
  });

  const forms = ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'] as const;
  for (const dates of forms)
    it(`are not too long once they are written as ${dates}, but for days at a bound of three or less`, () => {
      fc.assert(
        fc.property(
          fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe'),
          fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
          fc.integer({ min: 4, max: 40 }),
          fc.constantFrom('inclusive', 'exclusive'),
          (zone, from, maxRangeDays, dateTo) => {
            const clocks = new TimeZone(zone);
            const bound = { maxRangeDays, dates, sort: 'none' } as const;
            for (const slice of slicesOf({ from, to: from + 100 * dayMs }, bound)) {
              const { widest } = writeRange(slice, { dates, dateTo }, clocks);
              const shown = (at: number) => (dates === 'isoDate' ? clocks.clockAt(at) : at);
              const end = shown(widest.to) - (dates === 'isoDate' ? 0 : resolutionMs(dates));
              const begin = shown(widest.from);
              assert.ok(end - begin <= maxRangeDays * dayMs, `${end - begin}`);
            }
          },
        ),
      );
    });

  it('are one where no bound is known', () => {
    fc.assert(
      fc.property(anyPeriod, (period) => {
        assert.deepEqual(slicesOf(period, { maxRangeDays: null, sort: 'none', dates: 'isoDate' }), [
          period,
        ]);
      }),
    );
  });

  it('have their pages one after the other, and each row once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 10 }),
        (counts, size) => {
          const pages = counts.map((count) => Math.ceil(count / size));
          let [page, rows] = [0, 0];
          for (let place = pageAmong(pages, 0); place;) {
            const left = (counts[place.slice] ?? 0) - place.page * size;
            assert.ok(left > 0);
            rows += Math.min(size, left);
            page += 1;
            place = pageAmong(pages, page);
          }
          assert.equal(
            rows,
            counts.reduce((sum, count) => sum + count, 0),
          );
        },
      ),
    );
  });
});
