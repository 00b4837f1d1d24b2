import assert from 'node:assert/strict';
import {
  choosePeriodToProbe,
  findPageNumber,
  isPeriodRespected,
  isRepeatedPage,
} from '../../../../src/exchange/history/probe.ts';
import { pageCap } from '../../../../src/exchange/history/judgePage.ts';
import { orderOf, pageOf, rowOf } from '../../../../src/exchange/history/page.ts';
import { always } from '../../../../src/base/interval.ts';

const known = (...times: readonly number[]) =>
  times.map((time) => rowOf({}, { id: String(time), time, content: () => '' }));

describe('a page shows', () => {
  it('the order of rows, from two times on', () => {
    const orders: [readonly number[], string | undefined][] = [
      [[], undefined],
      [[5, 5, 5], undefined],
      [[5, NaN], undefined],
      [[5, 5, 4], 'newestFirst'],
      [[4, NaN, 5, 5], 'oldestFirst'],
      [[4, 5, 4], 'none'],
    ];
    for (const [times, order] of orders) assert.equal(orderOf(known(...times)), order);
  });

  it('the page cap, but only if rows and totals agree', () => {
    const capOf = (sent: number, size?: number, totalElements?: number, totalPages?: number) => {
      const text = (count?: number) => (count === undefined ? null : String(count));
      const totals = {
        size: text(size),
        totalElements: text(totalElements),
        totalPages: text(totalPages),
      };
      return pageCap(500, { ...pageOf(always, [], [], totals), sent });
    };
    assert.equal(capOf(100, 100, 250, 3), 100);
    assert.equal(capOf(500, 20, 7), 'none');
    assert.equal(capOf(100, 500, 250, 3), undefined, 'another size');
    assert.equal(capOf(100, 100), undefined, 'no total');
    assert.equal(capOf(100, 100, 5000, 10), undefined, 'a size of this page, a total of all rows');
    for (const nothing of [capOf(0, 100, 250), capOf(3, 3, 3), capOf(3, 500, 3), capOf(3, 500)])
      assert.equal(nothing, undefined);
  });

  it('its number among known rows, by most of its rows', () => {
    const all = known(9, 8, 7, 6, 5, 4, 3, 2, 1);
    const begins = (...times: number[]) => findPageNumber(all, 3, known(...times));
    assert.equal(begins(9, 8, 7), 0);
    assert.equal(begins(6, 5, 4), 1);
    assert.equal(begins(2, 3, 1), 2);
    assert.equal(begins(7, 6, 5), 1);
    for (const times of [[], [100, 101, 102], [9, 6, 3], [9, 8, 7, 6]])
      assert.equal(begins(...times), undefined);
  });

  it('that it repeats another, unless just half of the rows came again', () => {
    const repeats = (...times: number[]) => isRepeatedPage(known(4, 3, 2, 1), known(...times));
    assert.deepEqual(
      [repeats(5, 4, 3, 2), repeats(6, 5, 4, 3), repeats(4)],
      [true, undefined, false],
    );
  });

  const exact = (time: number) => ({ from: time, to: time + 1 });
  const tens = (time: number) => {
    const from = Math.floor(time / 10) * 10;
    return { from, to: from + 10 };
  };

  it('the shortest period to probe, with known rows at its ends and outside', () => {
    const period = (...times: number[]) => choosePeriodToProbe(known(...times), exact);
    assert.equal(period(), undefined);
    assert.equal(period(5, 5), undefined);
    assert.deepEqual(period(9, 5), exact(9));
    assert.deepEqual(period(9, 7, 5), { from: 7, to: 10 });
    assert.deepEqual(period(50, 40, 31, 30, 10, 1), { from: 30, to: 32 });
    assert.deepEqual(choosePeriodToProbe(known(5, 11, 19, 25, 38), tens), { from: 10, to: 30 });
  });

  it('that a period was understood: all known rows inside, and none outside', () => {
    const period = { from: 20, to: 41 };
    const ignoredBy = (times: readonly number[]) =>
      times.some((time) => time < 20 || time > 41) ? [{ parameter: 'dateTo', rows: 1 }] : [];
    const isRespected = (size: number, ...times: number[]) =>
      isPeriodRespected(
        known(50, 40, 30, 20, 10),
        { ...pageOf(period, known(...times)), ignoredFilters: ignoredBy(times) },
        size,
      );
    assert.ok(isRespected(500, 40, 30, 20));
    assert.ok(isRespected(500, 41, 40, 30, 20), 'the end of the period may belong to it');
    for (const times of [
      [],
      [50, 40, 30, 20],
      [40, 30, 20, 10],
      [40, 30],
      [30, 20],
      [42, 40, 30, 20],
    ])
      assert.ok(!isRespected(500, ...times), times.join());
    assert.ok(isRespected(2, 40, 30), 'a full page may lack known rows');
    assert.ok(!isRespected(2, 50, 40), 'but has none outside');
    const beside = { from: 60, to: 70 };
    assert.ok(!isPeriodRespected(known(50, 40), pageOf(beside, []), 500), 'no rows show nothing');
  });
});
