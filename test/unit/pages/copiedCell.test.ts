import assert from 'node:assert/strict';
import { mask } from '../../../src/base/display.ts';
import { copiedCell } from '../../../src/pages/table/copiedCell.ts';
import type { Column } from '../../../src/protocol/table.ts';
import { aDisplay } from '../../support/display.ts';

describe('what a copy of a cell takes along', () => {
  const columns: readonly Column[] = [
    { field: 'time', label: 'Time', kind: 'time' },
    { field: 'amount', label: 'Amount', kind: 'decimal' },
  ];
  const rows = [
    ['1763632800123', '1E-7'],
    [null, '2'],
  ];
  const copied = (row: number, column: number, hidesMoney = false) =>
    copiedCell({ row, column }, columns, rows, aDisplay({ hidesMoney }));

  it('is the text of the wire, not what is shown', () => {
    assert.deepEqual(copied(0, 0), { kind: 'text', text: '1763632800123' });
    assert.deepEqual(copied(0, 1), { kind: 'text', text: '1E-7' });
  });

  it('is the label of a column in the header, hidden or not', () => {
    for (const hidesMoney of [false, true])
      assert.deepEqual(copied(-1, 1, hidesMoney), { kind: 'text', text: 'Amount' });
  });

  it('is nothing where there is no value', () => {
    for (const [row, column] of [
      [1, 0],
      [7, 0],
      [0, 7],
    ] as const)
      assert.deepEqual(copied(row, column), { kind: 'nothing' });
  });

  it('is asked of the host where it is masked here: no mask is ever copied', () => {
    assert.deepEqual(copied(0, 1, true), { kind: 'masked' });
    assert.deepEqual(copied(0, 0, true), { kind: 'text', text: '1763632800123' });
    const masked = [['1763632800123', mask]];
    const display = aDisplay({ hidesMoney: true });
    assert.deepEqual(copiedCell({ row: 0, column: 1 }, columns, masked, display), {
      kind: 'masked',
    });
  });
});
