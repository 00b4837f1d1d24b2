import assert from 'node:assert/strict';
import { always, type Interval } from '../../../../src/base/interval.ts';
import {
  coverageText,
  incompleteFigures,
  coversPeriod,
  currentFrom,
  queriedParts,
} from '../../../../src/host/tables/ledgerRows.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/base/time.ts';
import type { Completeness, Coverage } from '../../../../src/ledger/ledger.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';

/** 2026-11-20T10:00:00Z */
const now = 1_795_168_800_000;
const at = (hoursAgo: number): number => now - hoursAgo * hourMs;

function read(from: number, to: number, completeness: Completeness = 'complete'): Coverage {
  return { from, to, completeness, reason: null, asOf: now };
}

const request = { operation: 'trades', filters: {} } as const;

type Asked = readonly [reads: readonly Coverage[], given?: Partial<Interval>];

const rows: Readonly<Record<string, Asked>> = {
  'everything, read today': [[read(0, at(1))]],
  'everything, read yesterday': [[read(0, at(20))]],
  'everything, read long ago': [[read(0, now - dayMs - 1)]],
  'the last 90 days': [[read(at(24 * 90), at(1))]],
  'the last 90 days, of two': [[read(at(24 * 90), at(1))], { from: at(48) }],
  'the last 90 days, of the past': [[read(at(24 * 90), at(1))], { to: at(2) }],
  'a gap': [[read(0, at(6)), read(at(5), at(1))]],
  'a gap that drifted': [[read(0, at(6)), read(at(6), at(5), 'drifted'), read(at(5), at(1))]],
  'the whole of the past': [[read(0, at(1))], { to: at(1) }],
  nothing: [[]],
  'nothing that is proved': [[read(0, at(1), 'unknown')]],
  'the future': [[read(0, at(1))], { from: now + 1 }],
};

const sums: Readonly<Record<string, Asked>> = {
  'all up to now': [[read(0, now)]],
  'all but the last hour': [[read(0, at(1))]],
  'all of the past': [[read(at(50), at(2))], { from: at(40), to: at(30) }],
  'the future': [[read(0, at(1))], { from: now + 1 }],
  '42 of 90 days': [[read(at(42 * 24), now)], { from: at(90 * 24) }],
  'all but the last hours': [[read(0, at(3))], { from: at(48) }],
  'nothing that is proved': [[read(0, now, 'unknown')], { from: at(48) }],
  'a start that is not known': [[read(at(24 * 90), now)]],
  nothing: [[]],
};

describe('how much of its period a panel of the ledger has', () => {
  const partsOf = ([reads, given = {}]: Asked) =>
    queriedParts({ request, period: { ...always, ...given } }, reads, now);

  it('is named with its ends, its first gap, and whether it covers the period', () => {
    const lines = Object.entries(rows).map(([name, asked]) => {
      const parts = partsOf(asked);
      return `${name}: ${coverageText(parts, aDisplay(), now)} | ${coversPeriod(parts)}`;
    });
    assertApprovedLines('tables/coverage', lines);
  });

  it('is said of its sums, unless it is all, or all but what is read soon', () => {
    const lines = Object.entries(sums).map(([name, asked]) => {
      return `${name}: ${incompleteFigures(partsOf(asked), aDisplay(), now) ?? '—'}`;
    });
    assertApprovedLines('tables/coverageOfSums', lines);
  });
});

describe('the period that a current ledger has', () => {
  const from = (...reads: Coverage[]): number | undefined => {
    return currentFrom(queriedParts({ request, period: always }, reads, now), minuteMs);
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
