import assert from 'node:assert/strict';
import {
  moveColumn,
  resizeColumn,
  shownColumns,
  toggleColumn,
} from '../../../../src/pages/grid/order.ts';
import { defaultLayout } from '../../../../src/protocol/values.ts';

const columns = (['time', 'symbol', 'price'] as const).map((field) => ({ field }));

describe('the layout of columns', () => {
  it('is the table’s own order until the user moves one', () => {
    assert.deepEqual(shownColumns(columns, defaultLayout), [0, 1, 2]);
    const moved = moveColumn(columns, defaultLayout, 'price', 'time');
    assert.deepEqual(shownColumns(columns, moved), [2, 0, 1]);
    assert.deepEqual(
      shownColumns(columns, moveColumn(columns, moved, 'price', 'symbol')),
      [0, 1, 2],
    );
  });

  it('puts an unknown column last, and ignores one that is gone', () => {
    const stored = { ...defaultLayout, order: ['gone', 'price', 'time'], hidden: ['gone'] };
    assert.deepEqual(shownColumns(columns, stored), [2, 0, 1]);
    assert.equal(moveColumn(columns, stored, 'gone', 'time'), stored);
  });

  it('hides and shows a column, but never the last one', () => {
    let layout = defaultLayout;
    for (const field of ['time', 'symbol', 'price']) layout = toggleColumn(columns, layout, field);
    assert.deepEqual(shownColumns(columns, layout), [2]);
    assert.deepEqual(shownColumns(columns, toggleColumn(columns, layout, 'time')), [0, 2]);
    const all = { ...defaultLayout, hidden: ['time', 'symbol', 'price'] };
    assert.deepEqual(shownColumns(columns, all), [0]);
  });

  it('keeps a width within its bounds, and forgets it', () => {
    assert.deepEqual(resizeColumn(defaultLayout, 'time', 3).widths, { time: 32 });
    assert.deepEqual(resizeColumn(defaultLayout, 'time', 99_999).widths, { time: 2000 });
    const wide = resizeColumn(defaultLayout, 'time', 120.4);
    assert.deepEqual(wide.widths, { time: 120 });
    assert.deepEqual(resizeColumn(wide, 'time', null).widths, {});
  });
});
