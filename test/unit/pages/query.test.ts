import assert from 'node:assert/strict';
import { restoredQuery } from '../../../src/pages/table/query.ts';
import { description, firstQuery } from './builders.ts';

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

  it('has a page size that is offered', () => {
    assert.equal(restoredQuery(kept({ filters: {}, page: 1, size: 33 }), description).size, 20);
  });
});
