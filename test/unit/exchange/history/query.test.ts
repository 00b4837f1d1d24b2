import assert from 'node:assert/strict';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import {
  defaultConventions,
  type ApiConventions,
} from '../../../../src/exchange/history/apiConventions.ts';
import { writeQuery } from '../../../../src/exchange/history/query.ts';
import { operations } from '../../../../src/api/operations.ts';

function written(conventions: Partial<ApiConventions>, values: Parameters<typeof writeQuery>[1]) {
  const zone = new TimeZone('UTC');
  return writeQuery(operations.orders, values, { ...defaultConventions, ...conventions }, zone)
    .pairs;
}

describe('a query', () => {
  it('omits absent and empty values, and keeps zeros', () => {
    assert.deepEqual(
      written({}, { symbol: '', statuses: [], side: undefined, page: 0, size: 50 }),
      [
        ['page', '0'],
        ['size', '50'],
      ],
    );
  });
});
