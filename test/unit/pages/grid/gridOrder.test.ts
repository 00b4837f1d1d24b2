import assert from 'node:assert/strict';
import { mask } from '../../../../src/base/display.ts';
import { gridOrder } from '../../../../src/pages/grid/order.ts';
import type { Cell, Column } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';
import { defaultLayout } from '../../../../src/protocol/values.ts';

const columns: readonly Column[] = [
  { field: 'symbol', label: 'Symbol', kind: 'text' },
  { field: 'amount', label: 'Amount', kind: 'decimal' },
  { field: 'tradeId', label: 'Trade id', kind: 'id' },
  { field: 'distance', label: 'Distance', kind: 'distance' },
];

function sorted(cells: readonly Cell[][], field: string, isDescending = false, hidesMoney = false) {
  const sort = { field, isDescending };
  return gridOrder(columns, cells, defaultLayout, sort, aDisplay({ hidesMoney })).rows;
}

describe('sorted rows', () => {
  it('are in the order of exact numbers, not of their text', () => {
    const rows = ['10', '9', '1E1', '-2', '9.000000000000000000001'].map((amount) => ['', amount]);
    assert.deepEqual(sorted(rows, 'amount'), [3, 1, 4, 0, 2]);
    const ids = ['9007199254740993', '9007199254740992'].map((id) => ['', '', id]);
    assert.deepEqual(sorted(ids, 'tradeId'), [1, 0]);
  });

  it('have distances in the order of danger: what is passed first', () => {
    const rows = ['10.5', '9', null, '-2'].map((distance) => ['', '', '', distance]);
    assert.deepEqual(sorted(rows, 'distance'), [3, 1, 0, 2]);
  });

  it('have equal rows in the exchange’s order, and rows without a value last, in both directions', () => {
    const rows: Cell[][] = [['b'], [null], ['a'], ['b'], [null]];
    assert.deepEqual(sorted(rows, 'symbol'), [2, 0, 3, 1, 4]);
    assert.deepEqual(sorted(rows, 'symbol', true), [0, 3, 2, 1, 4]);
  });

  it('have values that are not numbers after the numbers', () => {
    assert.deepEqual(
      sorted(
        [
          ['', '#1'],
          ['', '2'],
          ['', '1'],
        ],
        'amount',
      ),
      [2, 1, 0],
    );
  });

  it('are not sorted by a column that privacy hides', () => {
    const rows = [mask, null, mask].map((amount) => ['', amount]);
    assert.deepEqual(sorted(rows, 'amount', true, true), [0, 1, 2]);
  });
});
