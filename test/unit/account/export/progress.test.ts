import assert from 'node:assert/strict';
import { timeLeftMs } from '../../../../src/account/export/progress.ts';

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
