import assert from 'node:assert/strict';
import type { TableFilters, TableQuery } from '../../../src/protocol/table.ts';
import { filterCount, isSameQuery, restoreQuery } from '../../../src/protocol/tableQuery.ts';
import { description, firstQuery, tableWithSwitch, tableWithoutPages } from '../pages/builders.ts';

const restored = (query: TableQuery | null, table = description): TableQuery =>
  restoreQuery({ ...table, query });

describe('the restored query of a table page', () => {
  it('is the last one', () => {
    const query = { filters: { side: 'SELL', statuses: ['EXECUTED'] }, page: 4, size: 50 };
    assert.deepEqual(restored(query), query);
  });

  it('is the first page if there was none', () => {
    assert.deepEqual(restored(null), firstQuery);
  });

  it('drops unknown and invalid filters', () => {
    const filters = {
      asset: 'usdt',
      side: 'SIDEWAYS',
      statuses: 'EXECUTED',
      symbol: ['btc_usdt'],
      dateTo: '2026-11-20T10:00:00.000Z',
    };
    const { filters: valid } = restored({ filters, page: 1, size: 20 });
    assert.deepEqual(valid, { dateTo: '2026-11-20T10:00:00.000Z' });
  });

  it('always has one option of a switch, the first by default', () => {
    const valid = (filters: TableFilters) =>
      restored({ filters, page: 0, size: 20 }, tableWithSwitch).filters;
    assert.deepEqual(valid({}), { accountType: 'FUTURE' });
    assert.deepEqual(valid({ accountType: 'MARGIN' }), { accountType: 'FUTURE' });
    assert.deepEqual(valid({ accountType: 'SPOT', asset: 'usdt' }), {
      accountType: 'SPOT',
      asset: 'usdt',
    });
    assert.equal(filterCount(restored(null, tableWithSwitch), tableWithSwitch.filters), 0);
  });

  it('has the initial filters of the host, on the first page', () => {
    const query = { filters: { side: 'SELL' }, page: 4, size: 50 };
    const withFilters = { ...description, initialFilters: { symbol: 'btc_usdt', asset: 'usdt' } };
    assert.deepEqual(restored(query, withFilters), {
      filters: { symbol: 'btc_usdt' },
      page: 0,
      size: 50,
    });
  });

  it('has the part of a long period, unless that was the latest one', () => {
    const query = { filters: {}, page: 1, size: 20 };
    const older = { ...query, part: { to: 1_000, isLatest: false } };
    assert.deepEqual(restored(older), older);
    const latest = { ...query, part: { to: 1_000, isLatest: true } };
    assert.deepEqual(restored(latest), query);
    const withFilters = { ...description, initialFilters: {} };
    assert.deepEqual(restored(older, withFilters), { ...query, page: 0 });
  });

  it('has one page for a table without pages', () => {
    const query = { filters: { side: 'SELL' }, page: 4, size: 50 };
    assert.deepEqual(restored(query, tableWithoutPages), firstQuery);
  });

  it('has an offered page size', () => {
    assert.equal(restored({ filters: {}, page: 1, size: 33 }).size, 20);
  });
});

describe('two queries of a table page', () => {
  it('are the same if they ask for the same rows: an empty text filters nothing', () => {
    const query = { filters: { side: 'BUY', symbol: '' }, page: 1, size: 20 };
    assert.ok(isSameQuery(query, { ...query, filters: { side: 'BUY' } }));
    assert.ok(!isSameQuery(query, { ...query, filters: { side: 'SELL' } }));
    assert.ok(!isSameQuery(query, { ...query, filters: {} }));
    for (const other of [{ page: 2 }, { size: 50 }, { part: { to: 1, isLatest: true } }])
      assert.ok(!isSameQuery(query, { ...query, ...other }));
  });
});
