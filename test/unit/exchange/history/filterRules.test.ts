import assert from 'node:assert/strict';
import {
  filterRules,
  findIgnoredFilters,
  matchesFilters,
  unverifiableFilters,
  withoutFilters,
  type FilterRules,
} from '../../../../src/exchange/history/filterRules.ts';
import { historyNames } from '../../../../src/exchange/history/historyRecords.ts';
import { operations } from '../../../../src/exchange/operations.ts';

const period = { dateFrom: 'period', dateTo: 'period' } as const;
const paging = { page: 'paging', size: 'paging' } as const;

const withoutAsset = {
  accountType: 'unverifiable',
  type: { field: 'type' },
  ...period,
  ...paging,
} as const;

/** These compile only as long as each marked line is an error. */
export const typeErrors = {
  // @ts-expect-error A parameter without a rule.
  missing: withoutAsset satisfies FilterRules<'transactions'>,
  unknown: {
    symbol: { field: 'symbol' },
    side: { field: 'side' },
    // @ts-expect-error A rule for a parameter that the operation does not have.
    asset: { field: 'symbol' },
    ...period,
    ...paging,
  } satisfies FilterRules<'trades'>,
  field: {
    symbol: { field: 'symbol' },
    // @ts-expect-error A field that the record does not have.
    side: { field: 'asset' },
    ...period,
    ...paging,
  } satisfies FilterRules<'trades'>,
  kind: {
    // @ts-expect-error A filter that would pass for paging.
    symbol: 'paging',
    side: { field: 'side' },
    ...period,
    ...paging,
  } satisfies FilterRules<'trades'>,
  unverified: {
    symbol: { field: 'symbol' },
    // @ts-expect-error A parameter that a field of the record shows.
    side: 'unverifiable',
    ...period,
    ...paging,
  } satisfies FilterRules<'trades'>,
  // @ts-expect-error A parameter that the API may add.
  added: { symbol: { field: 'symbol' } } satisfies FilterRules<
    'trades',
    { symbol: 'text'; maker: 'text' }
  >,
};

describe('filter rules', () => {
  it('name every parameter of every history', () => {
    for (const name of historyNames)
      assert.deepEqual(
        Object.keys(filterRules[name]).toSorted(),
        Object.keys(operations[name].parameters).toSorted(),
      );
  });

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
