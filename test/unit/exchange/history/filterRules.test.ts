import assert from 'node:assert/strict';
import {
  findIgnoredFilters,
  matchesFilters,
  unverifiableFilters,
  withoutFilters,
} from '../../../../src/exchange/history/filterRules.ts';

describe('filter rules', () => {
  const orders = [
    { symbol: 'btc_usdt', side: 'BUY', type: 'LIMIT', status: 'OPEN', time: '1000' },
    { symbol: 'eth_usdt', side: 'SELL', type: 'MARKET', status: 'LOST', time: '2000' },
    { symbol: 'btc_usdt', side: null, type: null, status: null, time: '3000' },
  ];
  const anyTime = { from: -Infinity, to: Infinity };

  it('find the filters that rows contradict', () => {
    const find = (filters: object, widestPeriod = anyTime) =>
      findIgnoredFilters({ operation: 'orders', filters }, orders, widestPeriod);
    assert.deepEqual(find({}), []);
    assert.deepEqual(find({ symbol: '', side: undefined, statuses: [] }), []);
    assert.deepEqual(find({ symbol: 'btc_usdt', type: 'LIMIT', statuses: ['OPEN', 'CANCELED'] }), [
      { parameter: 'symbol', rows: 1 },
      { parameter: 'type', rows: 1 },
      { parameter: 'statuses', rows: 1 },
    ]);
    assert.deepEqual(find({ side: 'NONE' }), [{ parameter: 'side', rows: 2 }]);
  });

  it('find the ends of a period that rows contradict, from their first moment on', () => {
    const found = (from: number, to: number) => {
      const asked = { operation: 'orders', filters: {} } as const;
      const one = [{ time: '1763632800123' }];
      return findIgnoredFilters(asked, one, { from, to }).map(({ parameter }) => parameter);
    };
    const at = 1_763_632_800_123;
    assert.deepEqual(found(at, at + 1), []);
    assert.deepEqual(found(at + 1, at + 2), ['dateFrom']);
    assert.deepEqual(found(at - 1, at), ['dateTo']);
  });

  it('apply and take away filters that are not sent', () => {
    const filters = { symbol: 'btc_usdt', statuses: ['OPEN', 'CANCELED'] };
    const selection = { operation: 'orders', filters } as const;
    const found = orders.map((order) => matchesFilters(selection, ['statuses'], order));
    assert.deepEqual(found, [true, false, true]);
    assert.ok(matchesFilters(selection, [], { symbol: 'eth_usdt' }));
    assert.deepEqual(withoutFilters(selection, ['statuses']).filters, { symbol: 'btc_usdt' });
  });

  it('name a filter that cannot be verified, if it is given', () => {
    assert.deepEqual(unverifiableFilters('transactions', { accountType: 'SPOT' }), ['accountType']);
    assert.deepEqual(unverifiableFilters('transactions', { accountType: '' }), []);
    assert.deepEqual(unverifiableFilters('orders', { symbol: 'btc_usdt' }), []);
  });
});
