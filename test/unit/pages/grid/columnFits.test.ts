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
    const both = width([['1234567'], ['0.1234567890123']], 0);
    assert.ok(both >= measure('1,234,567.1234…'));
    assert.ok(both < measure('1,234,567.1234567890123'));
  });

  it('has room for the sign of a gain', () => {
    const profits: Column[] = [{ field: 'rpnl', label: '', kind: 'decimal' }];
    const [fit] = columnFits(profits, [['-12345'], ['123456']], aDisplay(), measure, []);
    const [longer] = columnFits(profits, [['-123456']], aDisplay(), measure, []);
    assert.equal(fit?.width, longer?.width);
  });

  it('has room for the longest word, whatever it stands for', () => {
    const words = { A_LONG_CODE: { text: 'short' }, CODE: { text: 'a longer word' } };
    const types: Column[] = [{ field: 'type', label: '', kind: 'enum', words }];
    const [fit] = columnFits(types, [['A_LONG_CODE'], ['CODE']], aDisplay(), measure, []);
    assert.ok((fit?.width ?? 0) >= measure('a longer word'));
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
  const units: readonly Column[] = [
    { field: 'symbol', label: '', kind: 'text' },
    { field: 'amount', label: '', kind: 'decimal', unitField: 'symbol' },
  ];
  const fillsOf = (rows: readonly Cell[][], digits: 'compact' | 'all' = 'all'): string[] => {
    const display = aDisplay({ digits });
    const [, fit] = columnFits(units, rows, display, measure, []);
    return rows.map((row) => {
      const [, column] = units;
      return fit && column ? fractionFill(row, 1, column, fit, display) : assert.fail();
    });
  };

  it('is what a number lacks to the longest one of its unit', () => {
    const rows = [
      ['btc', '1.5'],
      ['btc', '1'],
      ['btc', '1E-3'],
      ['shib', '12'],
    ];
    assert.deepEqual(fillsOf(rows), ['00', '.000', '', '']);
  });

  it('is of the digits that are drawn, and of the mark of what is cut', () => {
    const rows = [
      ['btc', '0.1234567'],
      ['btc', '1.5'],
    ];
    assert.deepEqual(fillsOf(rows, 'compact'), ['', '000…']);
  });

  it('is nothing for what is no number', () => {
    assert.deepEqual(
      fillsOf([
        ['btc', '1.5'],
        ['btc', null],
        ['btc', '•••'],
        ['btc', 'NaN'],
      ]),
      ['', '', '', ''],
    );
  });
});
