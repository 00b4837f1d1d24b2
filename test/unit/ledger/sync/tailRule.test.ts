import assert from 'node:assert/strict';
import type { HistoryRecord } from '../../../../src/exchange/history/historyRecords.ts';
import { judgeTail, type TailPage } from '../../../../src/ledger/sync/tailReader.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { anOrder } from '../../../support/builders.ts';

/** The order with this number; its time is in seconds. */
const order = (number: number): HistoryRecord =>
  anOrder({ orderId: String(number), time: String(1_700_000_000_000 + number * 1000) });
/** From the newest to the oldest. */
const orders = (newest: number, oldest: number): HistoryRecord[] =>
  Array.from({ length: newest - oldest + 1 }, (_none, index) => order(newest - index));

function page(items: HistoryRecord[], fields: Partial<TailPage['page']> = {}): TailPage['page'] {
  return { items, badRecords: [], ignoredFilters: [], totalElements: items.length, ...fields };
}

/** Twelve rows, of which ten were known. */
const usual: TailPage = {
  page: page(orders(12, 1)),
  known: orders(10, 1),
  isNewestFirst: true,
};
const verdict = (fields: Partial<TailPage>) => judgeTail({ ...usual, ...fields });

describe('one page of the newest rows', () => {
  it('proves its period if it reaches known rows, newest first, on an exchange of that order', () => {
    assert.equal(verdict({}), 'proven');
    const uncounted = page(orders(12, 1), { totalElements: null });
    assert.equal(verdict({ page: uncounted }), 'proven');
  });

  it('proves nothing where no row is known', () => {
    assert.deepEqual(verdict({ known: [] }), { unproven: 'edgesUnproven' });
  });

  it('does not reach known rows if none of them came', () => {
    assert.equal(verdict({ page: page(orders(60, 11)) }), 'notReached');
    assert.equal(verdict({ page: page([]) }), 'notReached');
  });

  it('proves nothing if one of the known rows did not come again', () => {
    const items = orders(12, 1).filter((_record, index) => index !== 5);
    assert.deepEqual(verdict({ page: page(items) }), { unproven: 'edgesUnproven' });
  });

  it('proves nothing if the exchange counts more rows than came', () => {
    const counted = page(orders(12, 1), { totalElements: 13 });
    assert.deepEqual(verdict({ page: counted }), { unproven: 'countDisagrees' });
  });

  it('counts rows that could not be read as sent', () => {
    const badRecords = [{ path: '$.content[1]', problem: phrase('bad') }];
    const counted = page(orders(12, 1), { totalElements: 13, badRecords });
    assert.equal(verdict({ page: counted }), 'proven');
  });

  it('proves nothing if a filter was ignored', () => {
    const ignoredFilters = [{ parameter: 'symbol', rows: 1 }];
    const ignored = page(orders(12, 1), { ignoredFilters });
    assert.deepEqual(verdict({ page: ignored }), { unproven: 'filterIgnored' });
  });

  describe('without a known order', () => {
    const unproven = { unproven: 'orderUnproven' } as const;
    const uncounted = page(orders(12, 1), { totalElements: null });

    it('proves nothing alone, whatever it counts', () => {
      assert.deepEqual(verdict({ isNewestFirst: false }), unproven);
      assert.deepEqual(verdict({ isNewestFirst: false, page: uncounted }), unproven);
    });

    it('proves nothing if rows come in another order than before, or are too few to show one', () => {
      const mixed = [...orders(6, 1), ...orders(12, 7)];
      assert.deepEqual(verdict({ page: page(mixed, { totalElements: null }) }), unproven);
      const few = page(orders(7, 1), { totalElements: null });
      assert.deepEqual(verdict({ page: few, known: orders(3, 1) }), unproven);
    });
  });
});
