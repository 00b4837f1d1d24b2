import assert from 'node:assert/strict';
import {
  givenSize,
  pageFromText,
  pagerOf,
  pagesText,
  rangeText,
} from '../../../src/pages/table/pager.ts';
import { aDisplay } from '../../support/display.ts';
import { pageOf, words } from './builders.ts';

const display = aDisplay();
const look = { display, words };

const at = (page: number) => ({ filters: {}, page, size: 20 });

describe('the pager', () => {
  it('leads everywhere from the middle', () => {
    assert.deepEqual(pagerOf(at(1), pageOf(20)), { first: 0, previous: 0, next: 2, last: 2 });
  });

  it('leads only on from the first page and only back from the last', () => {
    assert.deepEqual(pagerOf(at(0), pageOf(20)), { first: null, previous: null, next: 1, last: 2 });
    assert.deepEqual(pagerOf(at(2), pageOf(5)), { first: 0, previous: 1, next: null, last: null });
  });

  it('leads on from a full page whatever the totals say', () => {
    for (const totalPages of [null, '-1', '0', '1', '1e3', 'many', '9'.repeat(400)]) {
      const pager = pagerOf(at(0), pageOf(20, { totalPages, totalElements: '-1' }));
      assert.equal(pager.next, 1, String(totalPages));
      assert.equal(pager.last, null, String(totalPages));
    }
  });

  it('ends at a full page that both totals call the last', () => {
    const pager = pagerOf(at(1), pageOf(20, { totalPages: '2', totalElements: '40' }));
    assert.equal(pager.next, null);
  });

  it('counts records that could not be read as part of a full page', () => {
    const page = pageOf(19, { totalPages: '-1', badRecords: ['price is missing.'] });
    assert.equal(pagerOf(at(0), page).next, 1);
    assert.equal(rangeText(at(0), page, look), 'rows 1–20 of 45');
  });

  it('counts rows that were left out likewise', () => {
    const page = pageOf(19, { totalPages: '-1', leftOut: 1 });
    assert.equal(pagerOf(at(0), page).next, 1);
  });

  it('says which rows where pages before are not full', () => {
    assert.equal(rangeText(at(2), pageOf(5, { rowsBefore: 23 }), look), 'rows 24–28 of 45');
  });

  it('does not say which rows where nobody knows how many stand before them', () => {
    const page = pageOf(5, { rowsBefore: 'unknown', totalElements: null });
    assert.equal(rangeText(at(2), page, look), '');
    assert.deepEqual(pagerOf(at(1), page), { first: 0, previous: 0, next: 2, last: 2 });
    assert.equal(pagerOf(at(2), page).next, null);
  });

  it('can still go back while nothing is on the page', () => {
    assert.deepEqual(pagerOf(at(4), null), { first: 0, previous: 3, next: null, last: null });
  });

  it('says which rows of how many', () => {
    assert.equal(
      rangeText(at(617), pageOf(5, { totalElements: '12345' }), look),
      'rows 12,341–12,345 of 12,345',
    );
    assert.equal(rangeText(at(0), pageOf(0), look), '');
  });

  it('knows no total where the server gives none or one below what it sent', () => {
    for (const totalElements of [null, '-1', '3', '1e400', '9'.repeat(30), ''])
      assert.equal(rangeText(at(0), pageOf(20, { totalElements }), look), 'rows 1–20 of —');
    assert.equal(pagesText(pageOf(20, { totalPages: '-1' }), display), '—');
    assert.equal(pagesText(pageOf(20, { totalPages: '12345' }), display), '12,345');
  });

  it('counts in the server’s page size where it gives smaller pages than asked for', () => {
    const query = { filters: {}, page: 3, size: 500 };
    const page = pageOf(100, { size: '100', totalPages: '9', totalElements: '850' });
    assert.equal(rangeText(query, page, look), 'rows 301–400 of 850');
    assert.equal(givenSize(query, page, display), '100');
    assert.equal(pagerOf(query, { ...page, totalPages: '-1' }).next, 4);
  });

  it('counts in its own page size where the server’s cannot be true', () => {
    const query = { filters: {}, page: 1, size: 20 };
    for (const size of ['20', '500', '5', '0', '-1', 'many']) {
      const page = pageOf(20, { size });
      assert.equal(rangeText(query, page, look), 'rows 21–40 of 45', size);
      assert.equal(givenSize(query, page, display), null, size);
    }
  });

  it('reads a page that a person names from 1', () => {
    assert.equal(pageFromText(' 7 '), 6);
    assert.equal(pageFromText('10000001'), 10_000_000);
    for (const text of ['', '0', '-1', '1.5', '1e3', 'x', '10000002'])
      assert.equal(pageFromText(text), null, text);
  });
});
