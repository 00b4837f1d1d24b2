import fc from 'fast-check';
import assert from 'node:assert/strict';
import { filterRows, pageOf } from '../../../../src/practice/account/pagedHistory.ts';

type Row = { readonly time: number; readonly id: bigint };

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

  it('are newest first, of one time those with the highest id', () => {
    const row = fc.record({ time: fc.nat(3), id: fc.bigInt({ min: 0n, max: 2n ** 63n }) });
    const sort = { timeOf: ({ time }: Row) => time, idOf: ({ id }: Row) => id };
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ({ id }) => id }), (rows) => {
        const sorted = filterRows<Row>(rows, {}, sort);
        assert.equal(sorted.length, rows.length);
        for (const [index, { time, id }] of sorted.slice(1).entries()) {
          const newer = sorted[index] ?? assert.fail();
          assert.ok(newer.time > time || (newer.time === time && newer.id > id));
        }
      }),
    );
  });
});
