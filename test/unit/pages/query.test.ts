import assert from 'node:assert/strict';
import { filterCount, restoredQuery } from '../../../src/pages/table/query.ts';
import { description, firstQuery, switched, whole } from './builders.ts';

const kept = (query: unknown, table = 'orders'): unknown => ({ v: 1, table, query });

describe('the query that a page comes back to', () => {
  it('is the kept one', () => {
    const query = { filters: { side: 'SELL', statuses: ['EXECUTED'] }, page: 4, size: 50 };
    assert.deepEqual(restoredQuery(kept(query), description), query);
  });

  it('is the first where what was kept is anything else', () => {
    const query = { filters: {}, page: 4, size: 50 };
    for (const other of [
      undefined,
      null,
      'text',
      kept(query, 'trades'),
      kept({ ...query, page: -1 }),
      kept({ ...query, page: 1.5 }),
      kept({ ...query, rows: [['1']] }),
      { ...(kept(query) as object), v: 2 },
    ])
      assert.deepEqual(restoredQuery(other, description), firstQuery);
  });

  it('is the first of this table, not another table’s', () => {
    const query = { filters: {}, page: 4, size: 50 };
    assert.deepEqual(restoredQuery(kept(query), { ...description, table: 'trades' }), firstQuery);
  });

  it('drops filters that the table does not have or that do not fit', () => {
    const filters = {
      asset: 'usdt',
      side: 'SIDEWAYS',
      statuses: 'EXECUTED',
      symbol: ['btc_usdt'],
      dateTo: '2026-11-20T10:00:00.000Z',
    };
    const restored = restoredQuery(kept({ filters, page: 1, size: 20 }), description);
    assert.deepEqual(restored.filters, { dateTo: '2026-11-20T10:00:00.000Z' });
  });

  it('always has one option of a switch chosen, at first the first', () => {
    const restored = (filters: unknown) =>
      restoredQuery(kept({ filters, page: 0, size: 20 }, 'transactions'), switched).filters;
    assert.deepEqual(restored({}), { accountType: 'FUTURE' });
    assert.deepEqual(restored({ accountType: 'MARGIN' }), { accountType: 'FUTURE' });
    assert.deepEqual(restored({ accountType: 'SPOT', asset: 'usdt' }), {
      accountType: 'SPOT',
      asset: 'usdt',
    });
    assert.equal(filterCount(restoredQuery(null, switched), switched.filters), 0);
  });

  it('begins with the filters that the host asks for, on the first page', () => {
    const query = { filters: { side: 'SELL' }, page: 4, size: 50 };
    const asked = { ...description, startWith: { symbol: 'btc_usdt', asset: 'usdt' } };
    assert.deepEqual(restoredQuery(kept(query), asked), {
      filters: { symbol: 'btc_usdt' },
      page: 0,
      size: 50,
    });
  });

  it('has one page where a table comes whole', () => {
    const query = { filters: { side: 'SELL' }, page: 4, size: 50 };
    assert.deepEqual(restoredQuery(kept(query, 'feeTiers'), whole), firstQuery);
  });

  it('has a page size that is offered', () => {
    assert.equal(restoredQuery(kept({ filters: {}, page: 1, size: 33 }), description).size, 20);
  });
});
