import assert from 'node:assert/strict';
import { always, openEnd, openStart, type Interval } from '../../../../src/base/interval.ts';
import {
  coverageText,
  incompleteFigures,
  coversPeriod,
  currentFrom,
  queriedParts,
} from '../../../../src/host/tables/ledgerRows.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import type { Completeness, Coverage } from '../../../../src/ledger/ledger.ts';
import { aDisplay } from '../../../support/display.ts';

/** 2026-11-20T10:00:00Z */
const now = 1_795_168_800_000;
const at = (hoursAgo: number): number => now - hoursAgo * hourMs;

function read(from: number, to: number, completeness: Completeness = 'complete'): Coverage {
  return { from, to, completeness, reason: null, asOf: now };
}

function of(reads: readonly Coverage[], given: Partial<Interval> = {}) {
  const request = { operation: 'trades', filters: {} } as const;
  const parts = queriedParts({ request, period: { ...always, ...given } }, reads, now);
  return [coverageText(parts, aDisplay(), now), coversPeriod(parts)];
}

describe('how much of the period the sums of a panel are of', () => {
  const partOf = (reads: readonly Coverage[], from = openStart, to = openEnd): string | null => {
    const request = { operation: 'trades', filters: {} } as const;
    const parts = queriedParts({ request, period: { from, to } }, reads, now);
    return incompleteFigures(parts, aDisplay(), now);
  };

  it('is not said if it is all, or all but what is read soon', () => {
    assert.equal(partOf([read(0, now)]), null);
    assert.equal(partOf([read(0, at(1))]), null);
    assert.equal(partOf([read(at(50), at(2))], at(40), at(30)), null);
    assert.equal(partOf([read(0, at(1))], now + 1), null);
  });

  it('is said in place of a headline', () => {
    assert.equal(partOf([read(at(42 * 24), now)], at(90 * 24)), 'Incomplete: 42 of 90 days');
    const late = [read(0, at(3))];
    assert.equal(partOf(late, at(48)), 'Incomplete: 1 of 2 days');
    assert.equal(partOf([read(0, now, 'unknown')], at(48)), 'Incomplete: 0 of 2 days');
    assert.equal(partOf([read(at(24 * 90), now)]), 'Incomplete: 90 days, earlier unknown');
    assert.equal(partOf([]), 'Incomplete: none of it');
  });
});

describe('the period that a current ledger has', () => {
  const from = (...reads: Coverage[]): number | undefined => {
    const request = { operation: 'trades', filters: {} } as const;
    const period = always;
    return currentFrom(queriedParts({ request, period }, reads, now), minuteMs);
  };

  it('ends within a minute, and begins after the last gap', () => {
    assert.equal(from(read(at(48), now)), at(48));
    assert.equal(from(read(at(48), now - minuteMs)), at(48));
    assert.equal(from(read(0, now - 1)), 0);
    assert.equal(from(read(at(90), at(50)), read(at(48), now)), at(48));
    const drifted = read(at(40), at(30), 'drifted');
    assert.equal(from(read(at(48), at(40)), drifted, read(at(30), now)), at(30));
  });

  it('is none if rows of the last minute may be missing, or nothing was read', () => {
    assert.equal(from(read(at(48), now - minuteMs - 1)), undefined);
    assert.equal(from(read(at(48), now - 1, 'unknown')), undefined);
    assert.equal(from(read(at(48), at(1)), read(at(1), now, 'drifted')), undefined);
    assert.equal(from(), undefined);
  });
});

describe('how complete the rows of the ledger are', () => {
  it('is said with the end of what is complete, and without the date of today', () => {
    assert.deepEqual(of([read(0, at(1))]), ['complete to 09:00:00 UTC', true]);
    assert.deepEqual(of([read(0, at(20))]), ['complete to 2026-11-19 14:00:00 UTC', true]);
  });

  it('names the beginning where earlier rows were never read', () => {
    const reads = [read(at(24 * 90), at(1))];
    const text = 'complete from 2026-08-22 10:00:00 UTC to 09:00:00 UTC';
    assert.deepEqual(of(reads), [text, false]);
    assert.deepEqual(of(reads, { from: at(48) }), ['complete to 09:00:00 UTC', true]);
    assert.deepEqual(of(reads, { to: at(2) }), ['complete from 2026-08-22 10:00:00 UTC', false]);
  });

  it('names the first gap, where rows may be missing', () => {
    const gap = 'rows may be missing from 04:00:00 UTC to 05:00:00 UTC';
    assert.deepEqual(of([read(0, at(6)), read(at(5), at(1))]), [gap, false]);
    const drifted = [read(0, at(6)), read(at(6), at(5), 'drifted'), read(at(5), at(1))];
    assert.deepEqual(of(drifted), [gap, false]);
  });

  it('is complete where the whole of a past period is', () => {
    assert.deepEqual(of([read(0, at(1))], { to: at(1) }), ['complete', true]);
  });

  it('is not complete where nothing was proved, or only what is too old', () => {
    assert.deepEqual(of([]), ['not complete', false]);
    assert.deepEqual(of([read(0, at(1), 'unknown')]), ['not complete', false]);
    assert.equal(of([read(0, now - dayMs - 1)])[1], false);
    assert.deepEqual(of([read(0, at(1))], { from: now + 1 }), ['not complete', false]);
  });
});
