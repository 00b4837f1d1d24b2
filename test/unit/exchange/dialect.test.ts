import assert from 'node:assert/strict';
import {
  defaultDialect,
  writeParameters,
  type Dialect,
} from '../../../src/exchange/dialect/dialect.ts';
import { operations } from '../../../src/exchange/operations.ts';

const moment = Date.UTC(2026, 10, 20, 23, 30, 0, 5);

function written(dialect: Partial<Dialect>, values: Parameters<typeof writeParameters>[1]) {
  return writeParameters(operations.orders, values, { ...defaultDialect, ...dialect });
}

describe('the dialect', () => {
  it('counts pages from 0 or 1', () => {
    assert.deepEqual(written({ firstPage: 0 }, { page: 2 }), [['page', '2']]);
    assert.deepEqual(written({ firstPage: 1 }, { page: 2 }), [['page', '3']]);
  });

  it('writes dates as milliseconds, instants or UTC days', () => {
    assert.deepEqual(written({ dates: 'epochMs' }, { dateFrom: moment }), [
      ['dateFrom', String(moment)],
    ]);
    assert.deepEqual(written({ dates: 'isoInstant' }, { dateTo: moment }), [
      ['dateTo', '2026-11-20T23:30:00.005Z'],
    ]);
    assert.deepEqual(written({ dates: 'isoDate' }, { dateTo: moment }), [['dateTo', '2026-11-20']]);
  });

  it('writes lists repeated or joined by commas', () => {
    const statuses = ['EXECUTED', 'CANCELED'];
    assert.deepEqual(written({ lists: 'repeat' }, { statuses }), [
      ['statuses', 'EXECUTED'],
      ['statuses', 'CANCELED'],
    ]);
    assert.deepEqual(written({ lists: 'comma' }, { statuses }), [
      ['statuses', 'EXECUTED,CANCELED'],
    ]);
  });

  it('leaves out what is absent or empty, and keeps zeros', () => {
    assert.deepEqual(
      written({}, { symbol: '', statuses: [], side: undefined, page: 0, size: 50 }),
      [
        ['page', '0'],
        ['size', '50'],
      ],
    );
  });
});
