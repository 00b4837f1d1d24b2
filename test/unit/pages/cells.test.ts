import assert from 'node:assert/strict';
import { cellText } from '../../../src/pages/table/cells.ts';

describe('the text of a cell', () => {
  it('has every digit of a number, ungrouped and without an exponent', () => {
    assert.equal(cellText('1E-7', 'decimal'), '0.0000001');
    assert.equal(cellText('1.10', 'decimal'), '1.10');
    assert.equal(cellText('18446744073709551615', 'id'), '18446744073709551615');
  });

  it('is the text itself where a number is none', () => {
    for (const text of ['NaN', '007', '1e9999', '0x1f'])
      assert.equal(cellText(text, 'decimal'), text);
  });

  it('is a time in UTC, or what came', () => {
    assert.equal(cellText('1763632800123', 'time'), '2025-11-20 10:00:00.123 UTC');
    assert.equal(cellText('yesterday', 'time'), 'yesterday');
  });

  it('keeps an unknown enum value and tells null from empty', () => {
    assert.equal(cellText('HALTED', 'enum'), 'HALTED');
    assert.equal(cellText(null, 'enum'), '—');
    assert.equal(cellText('', 'text'), '');
  });

  it('shows nothing that hides or turns', () => {
    for (const kind of ['text', 'enum', 'decimal', 'id', 'time'] as const)
      assert.equal(cellText('a\u202eb\u0000c', kind), 'a b c');
  });
});
