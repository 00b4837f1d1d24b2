import assert from 'node:assert/strict';
import { filterCount, restoreQuery } from '../../../../src/pages/table/state/savedQuery.ts';
import { description, firstQuery, tableWithSwitch, tableWithoutPages } from '../builders.ts';

const saved = (query: unknown, table = 'orders'): unknown => ({ v: 1, table, query });

describe('the restored query of a table page', () => {
  it('is the saved one', () => {
    const query = { filters: { side: 'SELL', statuses: ['EXECUTED'] }, page: 4, size: 50 };
    assert.deepEqual(restoreQuery(saved(query), description), query);
  });

  it('is the first page if the saved state is invalid', () => {
    const query = { filters: {}, page: 4, size: 50 };
    for (const other of [
      undefined,
      null,
      'text',
      saved(query, 'trades'),
      saved({ ...query, page: -1 }),
      saved({ ...query, page: 1.5 }),
      saved({ ...query, rows: [['1']] }),
      { ...(saved(query) as object), v: 2 },
    ])
      assert.deepEqual(restoreQuery(other, description), firstQuery);
  });

  it('drops unknown and invalid filters', () => {
    const filters = {
      asset: 'usdt',
      side: 'SIDEWAYS',
      statuses: 'EXECUTED',
      symbol: ['btc_usdt'],
      dateTo: '2026-11-20T10:00:00.000Z',
    };
    const restored = restoreQuery(saved({ filters, page: 1, size: 20 }), description);
    assert.deepEqual(restored.filters, { dateTo: '2026-11-20T10:00:00.000Z' });
  });

  it('always has one option of a switch, the first by default', () => {
    const restored = (filters: unknown) =>
      restoreQuery(saved({ filters, page: 0, size: 20 }, 'transactions'), tableWithSwitch).filters;
    assert.deepEqual(restored({}), { accountType: 'FUTURE' });
    assert.deepEqual(restored({ accountType: 'MARGIN' }), { accountType: 'FUTURE' });
    assert.deepEqual(restored({ accountType: 'SPOT', asset: 'usdt' }), {
      accountType: 'SPOT',
      asset: 'usdt',
    });
    assert.equal(filterCount(restoreQuery(null, tableWithSwitch), tableWithSwitch.filters), 0);
  });

  it('has the initial filters of the host, on the first page', () => {
    const query = { filters: { side: 'SELL' }, page: 4, size: 50 };
    const withFilters = { ...description, initialFilters: { symbol: 'btc_usdt', asset: 'usdt' } };
    assert.deepEqual(restoreQuery(saved(query), withFilters), {
      filters: { symbol: 'btc_usdt' },
      page: 0,
      size: 50,
    });
  });

  it('has the saved part of a long period, unless that was the latest one', () => {
    const query = { filters: {}, page: 1, size: 20 };
    const older = { ...query, part: { to: 1_000, isLatest: false } };
    assert.deepEqual(restoreQuery(saved(older), description), older);
    const latest = { ...query, part: { to: 1_000, isLatest: true } };
    assert.deepEqual(restoreQuery(saved(latest), description), query);
    const withFilters = { ...description, initialFilters: {} };
    assert.deepEqual(restoreQuery(saved(older), withFilters), { ...query, page: 0 });
  });

  it('has one page for a table without pages', () => {
    const query = { filters: { side: 'SELL' }, page: 4, size: 50 };
    assert.deepEqual(restoreQuery(saved(query, 'feeTiers'), tableWithoutPages), firstQuery);
  });

  it('has an offered page size', () => {
    assert.equal(restoreQuery(saved({ filters: {}, page: 1, size: 33 }), description).size, 20);
  });
});
