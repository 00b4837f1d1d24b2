import assert from 'node:assert/strict';
import { ExportRows, type RowTally } from '../../../../src/account/export/exportRows.ts';
import {
  resultOf,
  timeLeftMs,
  type ExportResult,
} from '../../../../src/account/export/progress.ts';
import type { HistorySelection } from '../../../../src/exchange/history/records.ts';
import { newCursor } from '../../../../src/exchange/history/walk/cursor.ts';
import type { Trade } from '../../../../src/exchange/records.ts';
import type { SavedWalk } from '../../../../src/ledger/ledger.ts';
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
  const part = { from: 0, to: 1 };
  const buy = aTrade({ side: 'BUY' });
  const sell = aTrade({ side: 'SELL' });
  const complete = { completeness: 'complete', reason: null } as const;
  const drifted = { completeness: 'drifted', reason: null } as const;
  const unknown = { completeness: 'unknown', reason: 'endUnproven' } as const;
  const none = { rows: 0, unmatched: {} };
  const ledger = { proved: [part], isProofLost: false };

  /** A part that was read with this end, and so many bad records. */
  function aPart(end: ExportResult['end'], bad = 0): SavedWalk {
    const badRecords = Array(bad).fill({ path: '$', problem: 'broken', between: null });
    const walk = { ...newCursor([]), bad };
    const cursor = { walk, reads: 2, badRecords, dates: '', filteredHere: [], end };
    return {
      id: 1,
      history: 'trades',
      ...part,
      asOf: 0,
      purpose: 'download',
      isPaused: false,
      cursor,
    };
  }

  /** The tally of a ledger that gives these pieces. */
  async function tallyOf(...pieces: readonly (readonly Trade[])[]): Promise<RowTally> {
    const start = { last: 9, after: null };
    let read = 0;
    const own = {
      piece: () => {
        const rows = pieces[(read += 1) - 1] ?? [];
        return Promise.resolve({ rows, start, next: read < pieces.length ? start : null });
      },
    };
    const { signal } = new AbortController();
    const options = { request: selection, parts: [part], proved: [], own, account: undefined };
    const rows = new ExportRows({ ...options, isOldestFirst: false, signal });
    for await (const _piece of rows.pieces());
    return rows.tally;
  }

  for (const [what, pieces, reason, unmatched] of [
    ['every row is one', [[buy], [buy]], null, {}],
    ['a row of the first piece is not', [[buy, sell], [buy]], 'filterIgnored', 1],
    ['a row of the last piece is not', [[buy], [buy, sell]], 'filterIgnored', 1],
    ['rows of both are not', [[sell], [sell, sell]], 'filterIgnored', 3],
  ] as const)
    it(`is that they are ${reason ?? 'complete'} if ${what} of those that were asked for`, async () => {
      const parts = [aPart(complete), aPart(complete)];
      const result = resultOf(aPart(complete), parts, await tallyOf(...pieces), {
        ...ledger,
        proved: [],
      });
      const completeness = reason ? 'unknown' : 'complete';
      assert.deepEqual(result.end, { completeness, reason });
      assert.deepEqual(result.unmatched, typeof unmatched === 'number' ? { side: unmatched } : {});
      assert.deepEqual([result.reads, result.source], [4, 'exchange']);
    });

  for (const [what, ends, isProofLost, expected] of [
    ['all parts are', [complete, complete], false, complete],
    ['a part drifted', [complete, drifted], false, drifted],
    ['a part is unknown, and another drifted', [drifted, unknown, complete], false, unknown],
    ['the ledger lost its proof', [complete], true, drifted],
  ] as const)
    it(`is ${expected.completeness} if ${what}`, () => {
      const parts = ends.map((end) => aPart(end));
      const result = resultOf(aPart(complete), parts, none, { ...ledger, isProofLost });
      assert.deepEqual([result.end, result.source], [expected, 'both']);
    });

  it('lists the first thousand unreadable records, and counts all', () => {
    const parts = [aPart(complete, 600), aPart(complete, 600)];
    const { atMost, listed } = resultOf(aPart(complete), parts, none, ledger).badRecords;
    assert.deepEqual([atMost, listed.length], [1200, 1000]);
  });
});
