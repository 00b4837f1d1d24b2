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
        assert.deepEqual(
          pages.flatMap(({ content }) => content),
          rows,
        );
        for (const page of pages) {
          assert.ok(page.content.length > 0 && page.content.length <= page.size);
          assert.equal(page.size, Math.min(size, 500));
          assert.equal(page.totalElements, count);
        }
      }),
    );
  });

  it('are empty past the end', () => {
    assert.deepEqual(pageOf(rowsOf(40), 2), {
      content: [],
      size: 20,
      totalPages: 2,
      totalElements: 40,
    });
    assert.deepEqual(pageOf([], 0), { content: [], size: 20, totalPages: 0, totalElements: 0 });
  });

  it('have 20 rows by default and at most 500', () => {
    assert.equal(pageOf(rowsOf(41), 1).content[0], 20);
    assert.equal(pageOf(rowsOf(41), 0).totalPages, 3);
    assert.equal(pageOf(rowsOf(1200), 1, 5000).content[0], 500);
    assert.equal(pageOf(rowsOf(1200), 1, 5000).size, 500);
  });
});
