import assert from 'node:assert/strict';
import { mask } from '../../../src/base/display.ts';
import * as cells from '../../../src/pages/table/cells.ts';
import type { Cell, CellKind } from '../../../src/protocol/table.ts';
import { aDisplay } from '../../support/display.ts';

const cellText = (cell: Cell, kind: CellKind, display = aDisplay()): string =>
  cells.cellText(cell, { field: 'price', kind }, display);

describe('the text of a cell', () => {
  it('has every digit of a figure by the locale, and of an id as it is', () => {
    assert.equal(cellText('1E-7', 'decimal'), '0.0000001');
    assert.equal(cellText('1.10', 'decimal'), '1.10');
    const german = aDisplay({ locale: 'de' });
    assert.equal(cellText('1234567.10', 'decimal', german), '1.234.567,10');
    assert.equal(cellText('18446744073709551615', 'id'), '18446744073709551615');
  });

  it('is the text itself where a number is none', () => {
    for (const text of ['NaN', '007', '1e9999', '0x1f'])
      assert.equal(cellText(text, 'decimal'), text);
  });

  it('has a percent sign only behind a number of percent units', () => {
    assert.equal(cellText('16.6667', 'percent'), '16.6667 %');
    assert.equal(cellText('1E-3', 'percent'), '0.001 %');
    assert.equal(cellText('NaN', 'percent'), 'NaN');
    assert.equal(cellText(null, 'percent'), '—');
  });

  it('is a flag as it came, and a link without its hidden characters', () => {
    assert.equal(cellText('true', 'flag'), 'true');
    assert.equal(cellText('javascript:alert(1)\u202e', 'link'), 'javascript:alert(1)');
  });

  it('is a time in the shown zone, or what came', () => {
    assert.equal(cellText('1763632800123', 'time'), '2025-11-20 10:00:00.123 UTC');
    const there = aDisplay({ timeZone: 'America/Los_Angeles' });
    assert.equal(cellText('1763632800123', 'time', there), '2025-11-20 02:00:00.123 UTC-8');
    assert.equal(cellText('yesterday', 'time'), 'yesterday');
  });

  it('keeps an unknown enum value and tells null from empty', () => {
    assert.equal(cellText('HALTED', 'enum'), 'HALTED');
    assert.equal(cellText(null, 'enum'), '—');
    assert.equal(cellText('', 'text'), '');
  });

  it('shows nothing that hides or turns', () => {
    const kinds = ['text', 'enum', 'decimal', 'percent', 'id', 'time', 'flag', 'link'] as const;
    for (const kind of kinds) assert.equal(cellText('a\u202eb\u0000c', kind), 'a b c');
  });
});

describe('the colour of a figure', () => {
  it('is that of gain or loss by its sign, where it was won or lost', () => {
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
      assert.equal(cells.gainOf(cell, { field }), colour, `${field} ${cell}`);
  });
});
