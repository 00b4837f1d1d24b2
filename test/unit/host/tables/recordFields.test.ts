import assert from 'node:assert/strict';
import { mask } from '../../../../src/base/display.ts';
import { JsonNumber } from '../../../../src/base/exactJson.ts';
import { copiedField, recordFields } from '../../../../src/host/webview/recordCells.ts';
import { historyTables } from '../../../../src/host/tables/histories.ts';
import { anOrder } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

const extra = {
  venue: 'main "A"',
  reserve: new JsonNumber('1.10'),
  legs: [{ id: new JsonNumber('9007199254740993') }],
  note: 'free 12.50 usdt',
};
const record = anOrder({ extra });
const { columns } = historyTables().orders;

describe('the fields of a record', () => {
  it('are every column, and every field that the API document does not name', () => {
    const { fields, extra: others } = recordFields(record, columns, aDisplay());
    assert.deepEqual(
      fields.map(({ field }) => field),
      columns.map(({ field }) => field),
    );
    assert.equal(fields.find(({ field }) => field === 'orderId')?.cell, '9007199254740993');
    assert.deepEqual(others, [
      { name: 'venue', text: 'main "A"' },
      { name: 'reserve', text: '1.10' },
      { name: 'legs', text: '[{"id":9007199254740993}]' },
      { name: 'note', text: 'free 12.50 usdt' },
    ]);
  });

  it('have no figure that privacy hides, nor one that the API document does not name', () => {
    const { fields, extra: others } = recordFields(record, columns, aDisplay({ hidesMoney: true }));
    const cell = (name: string) => fields.find(({ field }) => field === name)?.cell;
    assert.deepEqual([cell('amount'), cell('filled'), cell('price')], [mask, mask, '50000']);
    assert.doesNotMatch(JSON.stringify(others), /\d/);
  });

  it('are copied as the exchange wrote them, and a time also as ISO 8601', () => {
    const copied = (field: string, isExtra = false, as: 'text' | 'iso' = 'text') =>
      copiedField(record, { pageId: 1, row: 0, field, isExtra, as });
    assert.equal(copied('amount'), '2');
    assert.equal(copied('time'), '1763632800123');
    assert.equal(copied('time', false, 'iso'), '2025-11-20T10:00:00.123Z');
    assert.equal(copied('reserve', true), '1.10');
    assert.equal(copied('reserve'), undefined);
    for (const name of ['constructor', '__proto__']) {
      assert.equal(copied(name), undefined);
      assert.equal(copied(name, true), undefined);
    }
  });
});
