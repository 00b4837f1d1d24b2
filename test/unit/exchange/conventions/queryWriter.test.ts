import assert from 'node:assert/strict';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import {
  defaultConventions,
  type ApiConventions,
} from '../../../../src/exchange/conventions/apiConventions.ts';
import { writeQuery } from '../../../../src/exchange/conventions/queryWriter.ts';
import { operations } from '../../../../src/exchange/operations.ts';

function written(conventions: Partial<ApiConventions>, values: Parameters<typeof writeQuery>[1]) {
  const zone = new TimeZone('UTC');
  return writeQuery(operations.orders, values, { ...defaultConventions, ...conventions }, zone)
    .pairs;
}

describe('a query', () => {
  it('counts pages from 0 or 1', () => {
    assert.deepEqual(written({ firstPage: 0 }, { page: 2 }), [['page', '2']]);
    assert.deepEqual(written({ firstPage: 1 }, { page: 2 }), [['page', '3']]);
  });

  it('writes lists repeated, joined by commas or with brackets', () => {
    const statuses = ['EXECUTED', 'CANCELED'];
    assert.deepEqual(written({ lists: 'repeat' }, { statuses }), [
      ['statuses', 'EXECUTED'],
      ['statuses', 'CANCELED'],
    ]);
    assert.deepEqual(written({ lists: 'comma' }, { statuses }), [
      ['statuses', 'EXECUTED,CANCELED'],
    ]);
    assert.deepEqual(written({ lists: 'brackets' }, { statuses }), [
      ['statuses[]', 'EXECUTED'],
      ['statuses[]', 'CANCELED'],
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
