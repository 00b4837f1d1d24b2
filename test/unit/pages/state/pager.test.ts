import assert from 'node:assert/strict';
import * as pager from '../../../../src/pages/table/state/shownRows.ts';
import type { TablePage, TableQuery } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';
import { pageOf, texts } from '../builders.ts';

const display = aDisplay();
const look = { display, texts };

const { parsePage, pageCountText, rangeText } = pager;
const pagerOf = (query: TableQuery, page: TablePage | null) =>
  pager.pagerOf({ body: { kind: 'rows' }, query, shown: page && { query, page } });

const at = (page: number) => ({ filters: {}, page, size: 20 });

describe('the pager', () => {
  it('leads to both pages beside a middle page', () => {
    assert.deepEqual(pagerOf(at(1), pageOf(20)), { previous: 0, next: 2 });
  });

  it('leads nowhere before the first page and after the last', () => {
    assert.deepEqual(pagerOf(at(0), pageOf(20)), { previous: null, next: 1 });
    assert.deepEqual(pagerOf(at(2), pageOf(5)), { previous: 1, next: null });
  });

  it('enables Next after a full page, despite the totals', () => {
    for (const totalPages of [null, '-1', '0', '1', '1e3', 'many', '9'.repeat(400)]) {
      const { next } = pagerOf(at(0), pageOf(20, { totalPages, totalElements: '-1' }));
      assert.equal(next, 1, String(totalPages));
    }
  });

  it('disables Next after a full page if both totals say that it is the last', () => {
    const { next } = pagerOf(at(1), pageOf(20, { totalPages: '2', totalElements: '40' }));
    assert.equal(next, null);
  });

  it('counts unreadable records as part of a full page', () => {
    const page = pageOf(19, { totalPages: '-1', omittedRows: 1, badRecords: ['x is missing.'] });
    assert.equal(pagerOf(at(0), page).next, 1);
    assert.equal(rangeText(at(0), page, look), '1–20 of 45');
  });

  it('counts omitted rows as part of a full page', () => {
    const page = pageOf(19, { totalPages: '-1', omittedRows: 1 });
    assert.equal(pagerOf(at(0), page).next, 1);
  });

  it('enables the way back while the page has no rows', () => {
    assert.deepEqual(pagerOf(at(4), null), { previous: 3, next: null });
  });

  it('leads to the pages beside the rows that stay after a failure, unless the filters changed', () => {
    const shown = { query: at(1), page: pageOf(20) };
    const failure = { kind: 'network', sentence: 'No.' };
    const body = { kind: 'failed', request: 'page', failure } as const;
    assert.deepEqual(pager.pagerOf({ body, shown, query: at(2) }), { previous: 0, next: 2 });
    const query = { ...at(0), filters: { side: 'BUY' } };
    assert.deepEqual(pager.pagerOf({ body, shown, query }), { previous: null, next: null });
  });

  it('shows the range and the total', () => {
    assert.equal(
      rangeText(at(617), pageOf(5, { totalElements: '12345' }), look),
      '12,341–12,345 of 12,345',
    );
    assert.equal(rangeText(at(0), pageOf(0), look), '');
  });

  it('shows no total if it is missing or less than the rows received', () => {
    for (const totalElements of [null, '-1', '3', '1e400', '9'.repeat(30), ''])
      assert.equal(rangeText(at(0), pageOf(20, { totalElements }), look), '1–20 of —');
    assert.equal(pageCountText(pageOf(20, { totalPages: '-1' }), display), '—');
    assert.equal(pageCountText(pageOf(20, { totalPages: '12345' }), display), '12,345');
  });

  it('uses the server’s page size if it is smaller than the requested one', () => {
    const query = { filters: {}, page: 3, size: 500 };
    const page = pageOf(100, { size: '100', totalPages: '9', totalElements: '850' });
    const range = '301–400 of 850 · the exchange returns 100 per page';
    assert.equal(rangeText(query, page, look), range);
    assert.equal(pagerOf(query, { ...page, totalPages: '-1' }).next, 4);
  });

  it('ignores a page size that cannot be true', () => {
    const query = { filters: {}, page: 1, size: 20 };
    for (const size of ['20', '500', '5', '0', '-1', 'many']) {
      const page = pageOf(20, { size });
      assert.equal(rangeText(query, page, look), '21–40 of 45', size);
    }
    const unreadable = pageOf(19, { size: '19', omittedRows: 1 });
    assert.equal(rangeText(query, unreadable, look), '21–40 of 45');
  });

  it('reads a typed page, counted from 1', () => {
    assert.equal(parsePage(' 7 '), 6);
    assert.equal(parsePage('10000001'), 10_000_000);
    for (const text of ['', '0', '-1', '1.5', '1e3', 'x', '10000002'])
      assert.equal(parsePage(text), null, text);
  });
});
