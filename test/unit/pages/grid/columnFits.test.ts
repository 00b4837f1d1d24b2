import assert from 'node:assert/strict';
import { columnFits, fractionFill } from '../../../../src/pages/grid/fits.ts';
import type { Cell, Column } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';

const columns: readonly Column[] = [
  { field: 'price', label: 'Price', kind: 'decimal' },
  { field: 'clientOrderId', label: 'Client order id', kind: 'text' },
];
/** Ten pixels for each character. */
const measure = (text: string): number => text.length * 10;
const fits = (rows: Cell[][], before: ReturnType<typeof columnFits> = []) =>
  columnFits(columns, rows, aDisplay(), measure, before);
const width = (rows: Cell[][], column: number) => fits(rows)[column]?.width ?? 0;

describe('the width that a column needs', () => {
  it('has room for the longest integer part beside the longest fraction', () => {
    const both = width([['1234567'], ['0.123456']], 0);
    assert.ok(both >= measure('1,234,567.123456'));
  });

  it('has room for the sign of a gain', () => {
    const profits: Column[] = [{ field: 'rpnl', label: '', kind: 'decimal' }];
    const [fit] = columnFits(profits, [['-12345'], ['123456']], aDisplay(), measure, []);
    const [longer] = columnFits(profits, [['-123456']], aDisplay(), measure, []);
    assert.equal(fit?.width, longer?.width);
  });

  it('has a limit for text, and none for a number', () => {
    const long = '1'.repeat(60);
    assert.ok(width([['1', long]], 1) < 400);
    assert.ok(width([[long]], 0) > measure(long));
  });

  it('does not shrink from page to page, nor without rows', () => {
    const wide = fits([['1234567.5', 'x'.repeat(20)]]);
    assert.deepEqual(fits([['1', 'x']], wide), wide);
    assert.deepEqual(fits([], wide), wide);
    assert.ok((fits([])[1]?.width ?? 0) >= measure('Client order id'));
  });
});

describe('the filled fraction', () => {
  it('is what a number lacks to the longest one', () => {
    assert.equal(fractionFill('1.5', 3), '00');
    assert.equal(fractionFill('1', 3), '.000');
    assert.equal(fractionFill('1E-3', 3), '');
    assert.equal(fractionFill('12', 0), '');
  });

  it('is nothing for what is no number', () => {
    for (const cell of [null, '•••', 'NaN']) assert.equal(fractionFill(cell, 3), '');
  });
});
