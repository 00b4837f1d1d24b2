import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  always,
  clip,
  contains,
  covers,
  intersection,
  isAlways,
  isEmpty,
  lengthOf,
  openEnd,
  openStart,
  subtract,
  union,
  type Interval,
} from '../../../src/base/interval.ts';
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

describe('an interval', () => {
  it('has its start and not its end', () => {
    fc.assert(
      fc.property(anInterval, (interval) => {
        for (const moment of moments)
          assert.equal(contains(interval, moment), isIn([interval], moment));
        const inside = moments.filter((moment) => isIn([interval], moment));
        assert.equal(isEmpty(interval), inside.length === 0);
      }),
    );
    assert.equal(lengthOf({ from: 5, to: 8 }), 3);
  });

  it('is open where its end is beyond every record', () => {
    assert.ok(isAlways({ from: openStart, to: openEnd }));
    assert.ok(!isAlways({ ...always, from: 1 }) && !isAlways({ ...always, to: 1 }));
    assert.deepEqual(JSON.parse(JSON.stringify(always)), always);
  });
});

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

  it('have every moment that each of several sets has', () => {
    fc.assert(
      fc.property(intervals, intervals, (given, others) => {
        const both = intersection([union(given), union(others)]);
        for (const moment of moments)
          assert.equal(isIn(both, moment), isIn(given, moment) && isIn(others, moment));
      }),
    );
    assert.deepEqual(intersection([]), []);
  });

  it('cover what lies in one of them', () => {
    fc.assert(
      fc.property(intervals, anInterval, (given, one) => {
        const isWhole = isEmpty(one) || subtract([one], given).length === 0;
        assert.ok(isEmpty(one) || covers(union(given), one) === isWhole);
        for (const each of given) assert.ok(covers(given, each));
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
