import assert from 'node:assert/strict';
import fc from 'fast-check';

/** Imported without its types: they are the browser's, which this room's type check does not know. */
const file = '../../../../src/pages/grid/rows.ts' as string;
type RowWindow = { readonly from: number; readonly to: number };
const { drawnPlaces, rowWindow } = (await import(file)) as {
  rowWindow: (scrollTop: number, height: number) => RowWindow;
  drawnPlaces: (window: RowWindow, rows: number, active: number) => readonly number[];
};
const rowHeight = 24;

describe('the window of drawn rows', () => {
  it('covers every visible row at every scroll position', () => {
    fc.assert(
      fc.property(fc.nat(3_000_000), fc.nat(3000), (scrollTop, height) => {
        const { from, to } = rowWindow(scrollTop, height);
        assert.ok(from >= 0 && from * rowHeight <= scrollTop);
        assert.ok(to * rowHeight >= scrollTop + height);
        assert.ok(to - from <= height / rowHeight + 20);
      }),
    );
  });

  it('has no row that does not exist, and always the active one, in their order', () => {
    const window = { from: 8, to: 12 };
    assert.deepEqual(drawnPlaces(window, 10, -1), [8, 9]);
    assert.deepEqual(drawnPlaces(window, 100, 9), [8, 9, 10, 11]);
    assert.deepEqual(drawnPlaces(window, 100, 2), [2, 8, 9, 10, 11]);
    assert.deepEqual(drawnPlaces(window, 100, 50), [8, 9, 10, 11, 50]);
    assert.deepEqual(drawnPlaces(window, 0, 3), []);
  });
});
