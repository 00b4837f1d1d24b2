import assert from 'node:assert/strict';
import { dayMs } from '../../../../src/base/time.ts';
import { listedAge, listedMs } from '../../../../src/ledger/coverage/listedAge.ts';
import type { Coverage, OldestRow } from '../../../../src/ledger/ledger.ts';

/** In days: a row, and when it was seen to be the oldest one. */
function row(day: number, firstSeen: number, lastSeen = firstSeen): OldestRow {
  return { time: day * dayMs, firstSeenAt: firstSeen * dayMs, lastSeenAt: lastSeen * dayMs };
}

const rows = [row(8, 100), row(9, 101), row(10, 102)];
const days = (oldestRows: readonly OldestRow[]): number | null => {
  const ms = listedMs(oldestRows);
  return ms === null ? null : ms / dayMs;
};

describe('how far back an exchange lists a history', () => {
  it('is known once the oldest row has left twice at the same age', () => {
    assert.equal(days([]), null);
    assert.equal(days(rows.slice(0, 2)), null);
    assert.equal(days(rows), 92);
  });

  it('is not known of the first row of an account, which stays', () => {
    assert.equal(days([row(8, 20, 400)]), null);
    assert.equal(days([row(7, 20), row(8, 21, 400)]), null);
  });

  it('is not known if rows left at different ages, or a row came back', () => {
    assert.equal(days([row(8, 100), row(28, 101), row(48, 102)]), null);
    assert.equal(days([...rows, row(11, 103, 120)]), null);
    assert.equal(days([row(8, 100, 105), row(9, 101), row(10, 102)]), null);
  });

  it('allows for whole days that leave at once, and for the day between two reads', () => {
    assert.equal(days([row(8, 100), row(9.9, 101.5, 102.4), row(11, 103)]), 92.5);
  });

  it('is known anew some rows after the exchange changed it', () => {
    const shorter = [72, 73, 74, 75, 76].map((day) => row(day, day + 30));
    assert.equal(days([...rows, ...shorter.slice(0, 4)]), null);
    assert.equal(days([...rows, ...shorter]), 30);
  });
});

describe('rows that leave soon', () => {
  const now = 102 * dayMs;
  const read = (from: number, fields: Partial<Coverage> = {}): Coverage => ({
    ...{ from: from * dayMs, to: now, completeness: 'complete', reason: null, asOf: now },
    ...fields,
  });
  const leaving = (...reads: readonly Coverage[]) => {
    const periods = listedAge('trades', reads, rows, now)?.leaving;
    return periods?.map(({ from, to }) => [from / dayMs, to / dayMs]);
  };

  it('are those that the ledger may lack, from the oldest that the exchange lists', () => {
    assert.deepEqual(leaving(read(13)), [[10, 13]]);
    const unknown = read(10, { to: 12 * dayMs, completeness: 'unknown', reason: 'endUnproven' });
    assert.deepEqual(leaving(unknown, read(12)), [[10, 12]]);
    const both = [
      [10, 13],
      [16, 22],
    ];
    assert.deepEqual(leaving(read(13, { to: 16 * dayMs }), read(22)), both);
  });

  it('are none if the ledger has all that is listed, or lacks what leaves later', () => {
    assert.deepEqual(leaving(read(10)), []);
    assert.deepEqual(leaving(read(10, { to: 30 * dayMs }), read(40)), []);
  });

  it('are unknown without evidence', () => {
    assert.equal(listedAge('trades', [read(13)], rows.slice(1), now), null);
  });
});
