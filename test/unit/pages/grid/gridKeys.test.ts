import assert from 'node:assert/strict';
import {
  moveByKey,
  type KeyPress,
  type CellPosition,
} from '../../../../src/pages/table/grid/gridKeys.ts';

const extent = { rows: 20, columns: 5, pageRows: 8 };
const key = (name: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
});
const move = (
  name: string,
  row: number,
  column: number,
  modifiers?: Partial<KeyPress>,
): CellPosition | null => moveByKey(key(name, modifiers), { row, column }, extent);

describe('the keys of the grid', () => {
  it('move by one cell and stop at the edges', () => {
    assert.deepEqual(move('ArrowRight', 3, 1), { row: 3, column: 2 });
    assert.deepEqual(move('ArrowRight', 3, 4), { row: 3, column: 4 });
    assert.deepEqual(move('ArrowLeft', 3, 0), { row: 3, column: 0 });
    assert.deepEqual(move('ArrowDown', 19, 2), { row: 19, column: 2 });
  });

  it('reach the header from the first row', () => {
    assert.deepEqual(move('ArrowUp', 0, 2), { row: -1, column: 2 });
    assert.deepEqual(move('ArrowUp', -1, 2), { row: -1, column: 2 });
    assert.deepEqual(move('ArrowDown', -1, 2), { row: 0, column: 2 });
    assert.deepEqual(move('PageUp', 0, 2), { row: -1, column: 2 });
  });

  it('move to the ends of a row and of the grid', () => {
    assert.deepEqual(move('Home', 3, 2), { row: 3, column: 0 });
    assert.deepEqual(move('End', 3, 2), { row: 3, column: 4 });
    assert.deepEqual(move('Home', 3, 2, { ctrlKey: true }), { row: 0, column: 0 });
    assert.deepEqual(move('End', 3, 2, { metaKey: true }), { row: 19, column: 4 });
  });

  it('move by a page, but not past the first and last row', () => {
    assert.deepEqual(move('PageDown', 3, 2), { row: 11, column: 2 });
    assert.deepEqual(move('PageDown', 15, 2), { row: 19, column: 2 });
    assert.deepEqual(move('PageUp', 5, 2), { row: 0, column: 2 });
  });

  it('do not include any other key', () => {
    for (const name of ['Tab', 'Enter', 'a', 'F1', 'Escape']) assert.equal(move(name, 3, 2), null);
    assert.equal(move('ArrowLeft', 3, 2, { altKey: true }), null);
    assert.equal(move('c', 3, 2, { ctrlKey: true }), null);
    assert.equal(move('ArrowDown', 3, 2, { ctrlKey: true }), null);
  });

  it('stay in the header of a grid without rows', () => {
    const empty = { ...extent, rows: 0 };
    for (const name of ['ArrowDown', 'PageDown', 'ArrowUp'])
      assert.deepEqual(moveByKey(key(name), { row: -1, column: 1 }, empty), { row: -1, column: 1 });
    const home = moveByKey(key('Home', { ctrlKey: true }), { row: -1, column: 1 }, empty);
    assert.deepEqual(home, { row: -1, column: 0 });
  });
});
