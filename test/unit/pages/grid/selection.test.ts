import assert from 'node:assert/strict';
import {
  cellCount,
  extendSelection,
  isInSpans,
  selectedCells,
  selectedSpans,
  wholeRows,
} from '../../../../src/pages/grid/selection.ts';

const at = (row: number, column: number) => ({ row, column });
const range = (from: [number, number], to: [number, number], isRows = false) => ({
  anchor: at(...from),
  end: at(...to),
  isRows,
});
/** Column 1 is hidden, and the rows are sorted backwards. */
const order = { columns: [2, 0], rows: [3, 2, 1, 0] };

describe('the selected cells', () => {
  it('are the active cell without a range', () => {
    assert.deepEqual(selectedCells([], at(1, 1), order, 7), {
      pageId: 7,
      columns: [0],
      rows: [{ row: 2, columns: [0] }],
      isRows: false,
    });
  });

  it('are those between two cells, in whichever direction, as they are shown', () => {
    for (const [from, to] of [
      [
        [0, 0],
        [2, 1],
      ],
      [
        [2, 1],
        [0, 0],
      ],
    ] as [[number, number], [number, number]][]) {
      const selected = selectedCells([range(from, to)], at(...to), order, 7);
      assert.deepEqual(selected.columns, [2, 0]);
      assert.deepEqual(
        selected.rows.map(({ row }) => row),
        [3, 2, 1],
      );
      assert.equal(cellCount(selected), 6);
    }
  });

  it('are counted once when ranges overlap, and leave out what is in none', () => {
    const ranges = [range([0, 0], [1, 0]), range([1, 0], [1, 1])];
    const selected = selectedCells(ranges, at(1, 1), order, 7);
    assert.deepEqual(selected.rows, [
      { row: 3, columns: [2] },
      { row: 2, columns: [2, 0] },
    ]);
    assert.equal(cellCount(selected), 3);
  });

  it('are whole rows, also of hidden columns’ rows, and never rows that do not exist', () => {
    const selected = selectedCells([range([2, 1], [9, 1], true)], at(2, 1), order, 7);
    assert.deepEqual(selected.rows, [
      { row: 1, columns: [2, 0] },
      { row: 0, columns: [2, 0] },
    ]);
    assert.equal(selected.isRows, true);
  });

  it('do not include the header', () => {
    const selected = selectedCells([], at(-1, 0), order, 7);
    assert.deepEqual(selected.rows, []);
  });
});

describe('a selection', () => {
  it('grows from the active cell, or from the range before', () => {
    const first = extendSelection([], at(1, 1), at(2, 1));
    assert.deepEqual(first, [range([1, 1], [2, 1])]);
    assert.deepEqual(extendSelection(first, at(2, 1), at(3, 0)), [range([1, 1], [3, 0])]);
    const two = [...first, range([7, 0], [7, 0])];
    assert.deepEqual(extendSelection(two, at(7, 0), at(8, 1)), [...first, range([7, 0], [8, 1])]);
    assert.deepEqual(wholeRows(two, at(7, 0)), [...first, range([7, 0], [7, 0], true)]);
  });

  it('becomes whole rows, and stays so while it grows', () => {
    const rows = wholeRows([], at(1, 1));
    assert.deepEqual(rows, [range([1, 1], [1, 1], true)]);
    const [grown] = extendSelection(rows, at(1, 1), at(4, 0));
    assert.equal(grown?.isRows, true);
    assert.ok(isInSpans(selectedSpans([range([0, 3], [1, 3], true)], 1), 0));
  });
});
