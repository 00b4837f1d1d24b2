import assert from 'node:assert/strict';
import { mask } from '../../../../src/base/display.ts';
import * as cells from '../../../../src/pages/table/grid/gridCells.ts';
import { copiedCell } from '../../../../src/pages/table/grid/gridCells.ts';
import type { Cell, CellKind, Column } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';

const cellText = (cell: Cell, kind: CellKind, display = aDisplay()): string =>
  cells.cellText(cell, { field: 'price', kind }, display);

describe('the text of a cell', () => {
  it('has every digit of a number, grouped by the locale, and every digit of an id, ungrouped', () => {
    assert.equal(cellText('1E-7', 'decimal'), '0.0000001');
    assert.equal(cellText('1.10', 'decimal'), '1.10');
    const german = aDisplay({ locale: 'de' });
    assert.equal(cellText('1234567.10', 'decimal', german), '1.234.567,10');
    assert.equal(cellText('18446744073709551615', 'id'), '18446744073709551615');
  });

  it('is unchanged if it is not a number', () => {
    for (const text of ['NaN', '007', '1e9999', '0x1f'])
      assert.equal(cellText(text, 'decimal'), text);
  });

  it('has a percent sign only after a number', () => {
    assert.equal(cellText('16.6667', 'percent'), '16.6667 %');
    assert.equal(cellText('1E-3', 'percent'), '0.001 %');
    assert.equal(cellText('NaN', 'percent'), 'NaN');
    assert.equal(cellText(null, 'percent'), '—');
  });

  it('is an unchanged flag, and a link without hidden characters', () => {
    assert.equal(cellText('true', 'flag'), 'true');
    assert.equal(cellText('javascript:alert(1)\u202e', 'link'), 'javascript:alert(1)');
  });

  it('is a time in the display’s zone, or the unchanged text', () => {
    assert.equal(cellText('1763632800123', 'time'), '2025-11-20 10:00:00.123 UTC');
    const there = aDisplay({ timeZone: 'America/Los_Angeles' });
    assert.equal(cellText('1763632800123', 'time', there), '2025-11-20 02:00:00.123 UTC-8');
    assert.equal(cellText('yesterday', 'time'), 'yesterday');
  });

  it('keeps an unknown enum value and distinguishes null from empty', () => {
    assert.equal(cellText('HALTED', 'enum'), 'HALTED');
    assert.equal(cellText(null, 'enum'), '—');
    assert.equal(cellText('', 'text'), '');
  });

  it('has no control or bidirectional characters', () => {
    const kinds = ['text', 'enum', 'decimal', 'percent', 'id', 'time', 'flag', 'link'] as const;
    for (const kind of kinds) assert.equal(cellText('a\u202eb\u0000c', kind), 'a b c');
  });
});

describe('the colour of a cell', () => {
  it('depends only on the sign of a profit or loss', () => {
    for (const [field, cell, colour] of [
      ['rpnl', '3.25', 'gain'],
      ['rpnl', '-1E-30', 'loss'],
      ['upl', '-2', 'loss'],
      ['rpnl', '-0.00', ''],
      ['rpnl', null, ''],
      ['rpnl', mask, ''],
      ['fee', '-2', ''],
      ['amount', '-2', ''],
    ] as const)
      assert.equal(cells.gainOrLoss(cell, { field }), colour, `${field} ${cell}`);
  });
});

describe('a copied cell', () => {
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

  it('has the exchange’s own text, not the displayed one', () => {
    assert.deepEqual(copied(0, 0), { kind: 'text', text: '1763632800123' });
    assert.deepEqual(copied(0, 1), { kind: 'text', text: '1E-7' });
  });

  it('has the label of a header cell, masked column or not', () => {
    for (const hidesMoney of [false, true])
      assert.deepEqual(copied(-1, 1, hidesMoney), { kind: 'text', text: 'Amount' });
  });

  it('is absent without a value', () => {
    for (const [row, column] of [
      [1, 0],
      [7, 0],
      [0, 7],
    ] as const)
      assert.deepEqual(copied(row, column), { kind: 'none' });
  });

  it('is requested from the host if it is masked: a mask is never copied', () => {
    assert.deepEqual(copied(0, 1, true), { kind: 'masked' });
    assert.deepEqual(copied(0, 0, true), { kind: 'text', text: '1763632800123' });
    const masked = [['1763632800123', mask]];
    const display = aDisplay({ hidesMoney: true });
    assert.deepEqual(copiedCell({ row: 0, column: 1 }, columns, masked, display), {
      kind: 'masked',
    });
  });
});
