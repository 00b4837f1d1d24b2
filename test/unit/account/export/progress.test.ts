import assert from 'node:assert/strict';
import {
  exportCompleteness,
  initialProgress,
  progressAfterStep,
  timeLeftMs,
} from '../../../../src/account/export/progress.ts';
import { always } from '../../../../src/base/interval.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type { HistorySelection } from '../../../../src/exchange/history/historyRecords.ts';
import type { WalkStep } from '../../../../src/exchange/history/walk/walk.ts';
import type { Trade } from '../../../../src/exchange/records.ts';
import { aTrade } from '../../../support/builders.ts';

/** Bulk has 500 − 25 − 30 of a minute: a read of weight 10 every 1,348 ms. */
const usage = { ownShare: 500, windowMs: 60_000 };
const weight = 10;

describe('the time that an export still takes', () => {
  it('is that of the reads that are left, at the pace of those before', () => {
    const watched = { reads: 20, done: 0.2, left: 0.6, elapsedMs: 60_000 };
    assert.equal(timeLeftMs(watched, weight, usage), 180_000);
  });

  it('is never shorter than the bulk share of the limit allows, although the first reads are immediate', () => {
    const watched = { reads: 5, done: 0.05, left: 0.95, elapsedMs: 500 };
    const left = timeLeftMs(watched, weight, usage) ?? assert.fail();
    assert.equal(Math.round(left), Math.round((95 * 10 * 60_000) / 445));
  });

  it('depends only on the pace when the limit is daily', () => {
    const watched = { reads: 5, done: 0.05, left: 0.95, elapsedMs: 500 };
    assert.equal(timeLeftMs(watched, weight, { ownShare: 500, windowMs: 86_400_000 }), 9500);
  });

  it('counts from where the export was resumed', () => {
    const watched = { reads: 10, done: 0.1, left: 0.1, elapsedMs: 50_000 };
    assert.equal(Math.round(timeLeftMs(watched, weight, usage) ?? 0), 50_000);
  });

  it('is unknown before the first rows, and zero after the last', () => {
    const nothing = { reads: 0, done: 0, left: 1, elapsedMs: 0 };
    assert.equal(timeLeftMs(nothing, weight, usage), undefined);
    assert.equal(timeLeftMs({ ...nothing, reads: 3 }, weight, usage), undefined);
    assert.equal(timeLeftMs({ reads: 9, done: 1, left: 0, elapsedMs: 9 }, weight, usage), 0);
  });
});

describe('what an export knows of its rows', () => {
  const selection: HistorySelection = { operation: 'trades', filters: { side: 'BUY' } };
  const end = { completeness: 'complete', reason: null } as const;
  const buy = aTrade({ side: 'BUY' });
  const sell = aTrade({ side: 'SELL' });
  const bad = { path: '$.content[0]', problem: phrase('broken') };

  /** After steps of these rows, of which so many could not be read. */
  function after(...steps: readonly (readonly [rows: readonly Trade[], bad: number])[]) {
    let progress = initialProgress(always, 0);
    for (const [items, count] of steps) {
      const step = { items, badRecords: Array(count).fill(bad), cursor: {}, fraction: 1 };
      progress = progressAfterStep(progress, step as unknown as WalkStep<Trade>, selection, 10);
    }
    return { ...progress, end };
  }

  for (const [what, progress, reason, unmatched] of [
    ['every row is one', after([[buy], 0], [[buy], 0]), null, {}],
    ['a row of the first page is not', after([[buy, sell], 0], [[buy], 0]), 'filterIgnored', 1],
    ['a row of the last page is not', after([[buy], 0], [[buy, sell], 0]), 'filterIgnored', 1],
    ['rows of both are not', after([[sell], 0], [[sell, sell], 0]), 'filterIgnored', 3],
    ['one of the first page is unreadable', after([[buy], 1], [[buy], 0]), 'unreadableRecords', {}],
  ] as const)
    it(`is that they are ${reason ?? 'complete'} if ${what} of those that were asked for`, () => {
      const completeness = reason ? 'unknown' : 'complete';
      assert.deepEqual(exportCompleteness(progress), { completeness, reason });
      assert.deepEqual(
        progress.unmatched,
        typeof unmatched === 'number' ? { side: unmatched } : {},
      );
      assert.equal(progress.bytes, 20);
    });

  it('lists the first thousand unreadable records, and counts all', () => {
    const { atMost, listed } = after([[buy], 600], [[buy], 600]).badRecords;
    assert.deepEqual([atMost, listed.length], [1200, 1000]);
  });
});
