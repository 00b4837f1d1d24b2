import assert from 'node:assert/strict';
import fc from 'fast-check';
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
          const slices = slicesOf(period, { maxRangeDays, sort });
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

  it('are one where no bound is known', () => {
    fc.assert(
      fc.property(anyPeriod, (period) => {
        assert.deepEqual(slicesOf(period, { maxRangeDays: null, sort: 'none' }), [period]);
      }),
    );
  });

  it('have their pages one after the other, and each row once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 10 }),
        (counts, size) => {
          let [page, rows] = [0, 0];
          for (let place = pageAmong(counts, size, 0); place;) {
            assert.equal(place.rowsBefore, rows);
            const left = (counts[place.slice] ?? 0) - place.page * size;
            assert.ok(left > 0);
            rows += Math.min(size, left);
            page += 1;
            place = pageAmong(counts, size, page);
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
