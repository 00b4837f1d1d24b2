import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clip, subtract, union, type Interval } from '../../../src/base/interval.ts';
import { anInterval, moments } from '../../support/coverages.ts';

const isIn = (intervals: readonly Interval[], moment: number): boolean =>
  intervals.some(({ from, to }) => moment >= from && moment < to);
const intervals = fc.array(anInterval, { maxLength: 8 });

/** Sorted, apart from one another, and none empty. */
function assertNormal(given: readonly Interval[]): void {
  for (const [index, { from, to }] of given.entries()) {
    assert.ok(from < to);
    assert.ok(index === 0 || from > (given[index - 1]?.to ?? from));
  }
}

describe('intervals', () => {
  it('have every moment of their union, and no other', () => {
    fc.assert(
      fc.property(intervals, (given) => {
        const all = union(given);
        assertNormal(all);
        for (const moment of moments) assert.equal(isIn(all, moment), isIn(given, moment));
      }),
    );
  });

  it('without others have every moment that only they have', () => {
    fc.assert(
      fc.property(intervals, intervals, (given, taken) => {
        const left = subtract(given, taken);
        assertNormal(left);
        for (const moment of moments)
          assert.equal(isIn(left, moment), isIn(given, moment) && !isIn(taken, moment));
      }),
    );
  });

  it('within another have every moment that both have', () => {
    fc.assert(
      fc.property(intervals, anInterval, (given, within) => {
        const clipped = clip(given, within);
        assertNormal(clipped);
        for (const moment of moments)
          assert.equal(isIn(clipped, moment), isIn(given, moment) && isIn([within], moment));
      }),
    );
  });
});
