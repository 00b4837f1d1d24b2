import assert from 'node:assert/strict';
import { mask } from '../../../../src/base/display.ts';
import * as cells from '../../../../src/pages/grid/cells.ts';
import { gainOrLoss } from '../../../../src/protocol/cellRules.ts';
import { sharedZone } from '../../../../src/protocol/cellRules.ts';
import type { Cell, Column } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';

const cellText = (cell: Cell, kind: Column['kind'], display = aDisplay()): string =>
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

  it('is a distance in short with the word of its step, and every digit in the tooltip', () => {
    const steps = [
      { upTo: 0, word: 'past' },
      { upTo: 5, word: 'critical' },
    ];
    const scale = { full: 20, steps, beyond: 'far' };
    const columns: Column[] = [{ field: 'distance', label: 'Distance', kind: 'distance', scale }];
    const text = (cell: Cell): string => cells.gridCellText([cell], 0, columns, '', aDisplay());
    assert.deepEqual(['-2.57', '0', '5', '5.0001', null].map(text), [
      '2.5 % · past',
      '0 % · past',
      '5 % · critical',
      '5.0 % · far',
      '—',
    ]);
    assert.equal(cells.cellTooltip(['5.0001'], 0, columns, aDisplay()), '5.0001 %');
  });

  it('has the sign of a profit or loss, which its colour repeats', () => {
    const shown = (cell: string, field: 'rpnl' | 'upl' | 'amount'): string =>
      cells.cellText(cell, { field, kind: 'decimal' }, aDisplay());
    assert.deepEqual(
      [shown('3.750', 'rpnl'), shown('-150.53', 'upl'), shown('0', 'rpnl'), shown('5', 'amount')],
      ['+3.750', '−150.53', '0', '5'],
    );
  });

  it('is a flag in words, and a link without hidden characters', () => {
    const words = { true: { text: 'yes' }, false: { text: 'no' } };
    const flag = (cell: Cell): string =>
      cells.cellText(cell, { field: 'maker', kind: 'flag', words }, aDisplay());
    assert.deepEqual(['true', 'false', null].map(flag), ['yes', 'no', '—']);
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
      ['netPl', '2', 'gain'],
      ['rpnl', '-0.00', undefined],
      ['rpnl', null, undefined],
      ['rpnl', mask, undefined],
      ['fee', '-2', undefined],
      ['amount', '-2', undefined],
    ] as const)
      assert.equal(gainOrLoss(cell, { field }), colour, `${field} ${cell}`);
    assert.equal(gainOrLoss('-2', { field: 'amount', isSigned: true }), 'loss');
  });

  it('is a word in place of the exchange’s own, with its share, and that in the tooltip', () => {
    const share = { part: 'filled', whole: 'amount' } as const;
    const words = { PARTIALLY_EXECUTED: { text: 'Partially filled', share } };
    const columns: Column[] = [
      { field: 'status', label: '', kind: 'enum', words },
      { field: 'filled', label: '', kind: 'decimal' },
      { field: 'amount', label: '', kind: 'decimal' },
    ];
    const text = (...row: Cell[]): string => cells.gridCellText(row, 0, columns, '', aDisplay());
    assert.equal(text('PARTIALLY_EXECUTED', '0.32', '1'), 'Partially filled 32 %');
    for (const [filled, amount] of [
      [null, '1'],
      ['0', '0'],
      [mask, mask],
    ] as const)
      assert.equal(text('PARTIALLY_EXECUTED', filled, amount), 'Partially filled');
    assert.equal(text('EXPIRED', '0', '1'), 'EXPIRED');
    const row = ['PARTIALLY_EXECUTED', '0', '1'];
    assert.equal(cells.cellTooltip(row, 0, columns, aDisplay()), 'PARTIALLY_EXECUTED');
  });
});

describe('what the grid shows of a cell', () => {
  const columns: readonly Column[] = [
    { field: 'time', label: 'Time', kind: 'time' },
    { field: 'type', label: 'Type', kind: 'enum' },
    { field: 'price', label: 'Price', kind: 'decimal' },
    { field: 'link', label: 'Link', kind: 'link' },
  ];
  const shown = (row: readonly Cell[], index: number, zone = 'UTC') =>
    cells.gridCellText(row, index, columns, zone, aDisplay());
  const tooltip = (row: readonly Cell[], index: number) =>
    cells.cellTooltip(row, index, columns, aDisplay());

  it('is a time to the second if the header names its zone; the tooltip has the rest', () => {
    assert.equal(shown(['1763632800123'], 0), '2025-11-20 10:00:00');
    assert.equal(shown(['1763632800123'], 0, ''), '2025-11-20 10:00:00.123 UTC');
    assert.equal(shown(['yesterday'], 0), 'yesterday');
    assert.match(tooltip(['1763632800123'], 0), /2025-11-20 10:00:00\.123 UTC/);
  });

  it('is one zone for a column, unless the clocks change within it', () => {
    const zone = (times: readonly Cell[]) =>
      sharedZone(times, aDisplay({ timeZone: 'Europe/Berlin' }));
    const winter = String(Date.UTC(2026, 0, 5));
    const summer = String(Date.UTC(2026, 6, 5));
    assert.equal(zone([winter, null, 'never', winter]), 'UTC+1');
    assert.equal(zone([winter, summer]), '');
    assert.equal(zone([]), '');
  });

  it('is a dash for the price 0 of a market order, with the true value in its tooltip', () => {
    for (const [type, price, text, hint] of [
      ['MARKET', '0.00', '—', '0.00'],
      ['MARKET', '5', '5', ''],
      ['LIMIT', '0', '0', ''],
      ['MARKET', null, '—', ''],
    ] as const) {
      assert.equal(shown(['1', type, price], 2), text);
      assert.equal(tooltip(['1', type, price], 2), hint);
    }
  });

  it('is the host of a link, and its address in the tooltip', () => {
    const row = ['1', 'DEPOSIT', '1', 'https://ex\u00e4mple.com/transactions/\u202eabc'];
    assert.equal(shown(row, 3), 'xn--exmple-cua.com');
    assert.equal(tooltip(row, 3), 'https://ex\u00e4mple.com/transactions/ abc');
    assert.equal(shown(['1', '', '', 'no\u202e address'], 3), 'no  address');
  });
});
