import assert from 'node:assert/strict';
import { CapTrial } from '../../../../src/exchange/dialect/capTrial.ts';
import { observed, seenRows, type SeenPage } from '../../../../src/exchange/dialect/seenPage.ts';

/** A page of ten rows, of twenty-five in three pages. */
function pageOf(firstId: number, records = 10): SeenPage {
  const rows = Array.from({ length: records }, (_, index) => ({
    id: String(firstId + index),
    time: firstId + index,
  }));
  return { rows, records, size: records, totalPages: 3, totalElements: 25 };
}

type Step = readonly [query: { page: number; size?: number; symbol?: string }, page: SeenPage];

function capsOf(steps: readonly Step[]): readonly (number | undefined)[] {
  const trial = new CapTrial();
  return steps.map(([query, page]) => {
    const observation = observed('orders', [], seenRows(page));
    return trial.capSeen({ operation: 'orders', query }, page, observation)?.size;
  });
}

describe('a cap of pages, by ordinary ones', () => {
  const first = { page: 0, size: 20 };
  const next = { page: 1, size: 20 };
  const symbol = 'btc_usdt';

  it('is seen at once where nothing filters', () => {
    assert.deepEqual(capsOf([[first, pageOf(1)]]), [10]);
  });

  it('is seen from the next page of a filtered query, of as many rows and others', () => {
    const begin: Step = [{ ...first, symbol }, pageOf(1)];
    const nexts: readonly [SeenPage, number | undefined][] = [
      [pageOf(11), 10],
      [pageOf(10), 10],
      [pageOf(1), undefined],
      [pageOf(11, 9), undefined],
      [pageOf(11, 0), undefined],
      [{ ...pageOf(11), size: 20 }, undefined],
    ];
    for (const [page, cap] of nexts)
      assert.deepEqual(capsOf([begin, [{ ...next, symbol }, page]]), [undefined, cap]);
  });

  it('is not seen from pages of two queries, nor from later ones', () => {
    const begin: Step = [{ ...first, symbol }, pageOf(1)];
    for (const query of [
      { ...next, symbol: 'eth_usdt' },
      { ...next, symbol, size: 50 },
      { ...next, symbol, page: 2 },
      { symbol, page: 1 },
    ])
      assert.deepEqual(capsOf([begin, [query, pageOf(11)]]), [undefined, undefined]);
    const whole: Step = [{ ...first, symbol }, pageOf(1, 20)];
    assert.equal(capsOf([begin, whole, [{ ...next, symbol }, pageOf(11)]]).at(-1), undefined);
  });
});
