import assert from 'node:assert/strict';
import {
  orderOf,
  pageBegins,
  rangeSeen,
  sizeSeen,
  trialRange,
  valuesMatch,
} from '../../../../src/exchange/dialect/judge.ts';
import type { SeenPage } from '../../../../src/exchange/dialect/seenPage.ts';

const rowsAt = (...times: readonly (number | undefined)[]) =>
  times.map((time, index) => ({ id: `${time ?? 'x'}/${index}`, time }));
const known = (...times: readonly number[]) => times.map((time) => ({ id: String(time), time }));

function pageWith(fields: Partial<SeenPage>): SeenPage {
  const { rows = [] } = fields;
  return {
    rows,
    records: rows.length,
    size: undefined,
    totalPages: undefined,
    totalElements: undefined,
    ...fields,
  };
}

describe('what pages tell of a dialect', () => {
  it('an order, from two times on', () => {
    const orders: [readonly (number | undefined)[], string | undefined][] = [
      [[], undefined],
      [[5, 5, 5], undefined],
      [[5, undefined], undefined],
      [[5, 5, 4], 'newestFirst'],
      [[4, undefined, 5, 5], 'oldestFirst'],
      [[4, 5, 4], 'none'],
    ];
    for (const [times, order] of orders) assert.equal(orderOf(rowsAt(...times)), order);
  });

  it('a cap of pages, only where rows and claims agree', () => {
    const seen = (records: number, size?: number, totalElements?: number, totalPages?: number) =>
      sizeSeen(500, pageWith({ records, size, totalElements, totalPages }));
    assert.deepEqual(seen(100, 100, 250, 3), { kind: 'cap', size: 100 });
    assert.deepEqual(seen(500, 20, 7), { kind: 'whole' });
    const perhaps = { kind: 'perhaps', size: 100 };
    assert.deepEqual(seen(100, 500, 250, 1), perhaps);
    assert.deepEqual(seen(100, 100), perhaps);
    assert.deepEqual(seen(100, 100, 5000, 10), perhaps, 'a size of this page, a total of another');
    for (const nothing of [seen(0, 100, 250), seen(3, 3, 3), seen(3, 500, 3), seen(3, 500)])
      assert.equal(nothing, undefined);
  });

  it('where a page begins, by most of its rows', () => {
    const all = known(9, 8, 7, 6, 5, 4, 3, 2, 1);
    const begins = (...times: number[]) => pageBegins(all, 3, known(...times));
    assert.equal(begins(9, 8, 7), 0);
    assert.equal(begins(6, 5, 4), 1);
    assert.equal(begins(2, 3, 1), 2);
    assert.equal(begins(7, 6, 5), 1);
    for (const times of [[], [100, 101, 102], [9, 6, 3], [9, 8, 7, 6]])
      assert.equal(begins(...times), undefined);
  });

  const exact = (time: number) => ({ from: time, to: time + 1 });
  const tens = (time: number) => {
    const from = Math.floor(time / 10) * 10;
    return { from, to: from + 10 };
  };

  it('the shortest range that shows whether it is heeded', () => {
    const range = (...times: number[]) => trialRange(known(...times), exact);
    assert.equal(range(), undefined);
    assert.equal(range(5, 5), undefined);
    assert.deepEqual(range(9, 5), { first: exact(9), last: undefined });
    assert.deepEqual(range(9, 7, 5), { first: exact(7), last: exact(9) });
    assert.deepEqual(range(50, 40, 31, 30, 10, 1), { first: exact(30), last: exact(31) });
    assert.deepEqual(trialRange(known(5, 11, 19, 25, 38), tens), {
      first: tens(11),
      last: tens(25),
    });
  });

  describe('of a range', () => {
    const all = known(50, 40, 30, 20, 10);
    const range = { first: exact(20), last: exact(40) };
    const seen = (...times: number[]) =>
      rangeSeen(all, range, pageWith({ rows: known(...times) }), 500);

    it('its end in or out', () => {
      assert.equal(seen(40, 30, 20), 'endIn');
      assert.equal(seen(30, 20), 'endOut');
      const open = { first: exact(50), last: undefined };
      assert.equal(rangeSeen(all, open, pageWith({ rows: known(50) }), 500), 'endNotSeen');
    });

    it('out where a part of its rows is missing, and not told by a row at its first moment', () => {
      const days = { first: { from: 20, to: 30 }, last: { from: 40, to: 50 } };
      const inDays = (rows: readonly number[], ...times: number[]) =>
        rangeSeen(known(...rows), days, pageWith({ rows: known(...times) }), 500);
      assert.equal(inDays([20, 40, 45], 20, 40), 'endOut');
      assert.equal(inDays([20, 40, 45], 20, 40, 45), 'endIn');
      assert.equal(inDays([20, 40], 20, 40), 'endNotSeen');
    });

    it('nothing where a row lies outside, or one at its beginning is missing', () => {
      for (const times of [[], [50, 40, 30, 20], [40, 30, 20, 10], [40, 30], [41, 40, 20]])
        assert.equal(seen(...times), undefined, times.join());
    });
  });

  it('a list, where every value that was asked occurs and no other', () => {
    assert.ok(valuesMatch(['A', 'B'], ['B', 'A', 'A']));
    for (const seen of [[], ['A'], ['A', 'B', 'C'], ['C']])
      assert.ok(!valuesMatch(['A', 'B'], seen), seen.join());
  });
});
