import fc from 'fast-check';
import assert from 'node:assert/strict';
import { pageOf } from '../../../../src/practice/account/pagedHistory.ts';

const counts = fc.integer({ min: 0, max: 2000 });
const sizes = fc.integer({ min: 1, max: 700 });
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('history pages of the practice exchange', () => {
  it('contain every row once, in order, for any size', () => {
    fc.assert(
      fc.property(counts, sizes, (count, size) => {
        const rows = rowsOf(count);
        const { totalPages } = pageOf(rows, 0, size);
        const pages = Array.from({ length: totalPages }, (_, page) => pageOf(rows, page, size));
        const found = pages.flatMap(({ content }) => content);
        assert.deepEqual(found, rows);
        for (const page of pages) {
          assert.ok(page.content.length > 0 && page.content.length <= page.size);
          assert.equal(page.size, Math.min(size, 500));
          assert.equal(page.totalElements, count);
        }
      }),
    );
  });
});
