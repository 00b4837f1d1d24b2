import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compactCoverage,
  completeTo,
  coverageParts,
  type CoveragePart,
} from '../../../../src/ledger/coverage/coverageParts.ts';
import type { Coverage, LedgerHistory } from '../../../../src/ledger/ledger.ts';
import { anInterval, aRead, moments } from '../../../support/coverages.ts';

const reads = fc.array(aRead, { maxLength: 8 });
const anyHistory = fc.constantFrom<LedgerHistory>('orders', 'trades', 'lots', 'futureTransactions');

const partAt = (parts: readonly CoveragePart[], moment: number) =>
  parts.find(({ from, to }) => moment >= from && moment < to);
const stateAt = (parts: readonly CoveragePart[], moment: number) =>
  partAt(parts, moment)?.completeness;

function read(from: number, to: number, fields: Partial<Coverage> = {}): Coverage {
  return { from, to, completeness: 'complete', reason: null, asOf: 0, ...fields };
}

const statesOf = (parts: readonly CoveragePart[]) =>
  parts.map(({ from, to, completeness }) => [from, to, completeness]);

describe('what is known of a period', () => {
  it('says something of every moment, once', () => {
    fc.assert(
      fc.property(anyHistory, reads, anInterval, (history, given, period) => {
        const parts = coverageParts(history, given, period);
        let { from } = period;
        for (const part of parts) {
          assert.equal(part.from, from);
          assert.ok(part.to > part.from);
          from = part.to;
        }
        assert.equal(from, period.to);
      }),
    );
  });

  it('is never read exactly where no read was', () => {
    fc.assert(
      fc.property(anyHistory, reads, (history, given) => {
        const parts = coverageParts(history, given, { from: 0, to: 20 });
        for (const moment of moments.slice(0, -1)) {
          const wasRead = given.some(({ from, to }) => moment >= from && moment < to);
          assert.equal(stateAt(parts, moment) !== 'neverRead', wasRead);
        }
      }),
    );
  });

  it('is what the newest read says, if records change', () => {
    fc.assert(
      fc.property(reads, (given) => {
        const parts = coverageParts('orders', given, { from: 0, to: 20 });
        for (const moment of moments.slice(0, -1)) {
          const there = given.filter(({ from, to }) => moment >= from && moment < to);
          const newest = Math.max(...there.map(({ asOf }) => asOf));
          const expected = there.findLast(({ asOf }) => asOf === newest);
          assert.equal(stateAt(parts, moment), expected?.completeness ?? 'neverRead');
        }
      }),
    );
  });

  it('stays when a later read adds nothing, and records do not change', () => {
    const unknown = { completeness: 'unknown', reason: 'endUnproven', asOf: 2 } as const;
    const given = [read(0, 10, { asOf: 1 }), read(5, 15, unknown)];
    const period = { from: 0, to: 15 };
    assert.deepEqual(statesOf(coverageParts('trades', given, period)), [
      [0, 10, 'complete'],
      [10, 15, 'unknown'],
    ]);
    assert.deepEqual(statesOf(coverageParts('orders', given, period)), [
      [0, 5, 'complete'],
      [5, 15, 'unknown'],
    ]);
  });

  it('becomes complete by a later complete read, and drifted by a later drifted one', () => {
    const drifted = { completeness: 'drifted', asOf: 1 } as const;
    const period = { from: 0, to: 10 };
    const repaired = [read(0, 10, drifted), read(2, 6, { asOf: 2 })];
    assert.deepEqual(statesOf(coverageParts('trades', repaired, period)), [
      [0, 2, 'drifted'],
      [2, 6, 'complete'],
      [6, 10, 'drifted'],
    ]);
    const spoiled = [read(0, 10), read(4, 10, drifted)];
    assert.equal(stateAt(coverageParts('trades', spoiled, period), 5), 'drifted');
  });

  it('is complete to the first moment that is not, from the start of the period', () => {
    const given = [read(2, 5), read(5, 8, { asOf: 1 }), read(9, 12)];
    const to = (from: number, end: number) =>
      completeTo(coverageParts('orders', given, { from, to: end }));
    assert.equal(to(2, 20), 8);
    assert.equal(to(3, 7), 7);
    assert.equal(to(0, 20), null);
    assert.equal(to(8, 20), null);
    assert.equal(to(4, 4), null);
  });

  it('is the same after compaction, at every moment', () => {
    fc.assert(
      fc.property(anyHistory, reads, (history, given) => {
        const period = { from: 0, to: 20 };
        const before = coverageParts(history, given, period);
        const compact = compactCoverage(history, given);
        const after = coverageParts(history, compact, period);
        for (const moment of moments) assert.equal(stateAt(after, moment), stateAt(before, moment));
        assert.ok(compact.length <= given.length * 2);
      }),
    );
  });

  it('takes one read for many of adjoining trades, as old as the last of them', () => {
    const given = moments.slice(0, -1).map((from) => read(from, from + 1, { asOf: from }));
    assert.deepEqual(compactCoverage('trades', given), [read(0, 20, { asOf: 19 })]);
    assert.equal(compactCoverage('orders', given).length, 20);
    const again = [...given, read(0, 20, { asOf: 30 })];
    assert.deepEqual(compactCoverage('orders', again), [read(0, 20, { asOf: 30 })]);
  });
});
