import assert from 'node:assert/strict';
import { keyAction, type KeyPress } from '../../../../src/pages/grid/keys.ts';
import type { GridAction } from '../../../../src/pages/grid/model.ts';
import type { CellPosition } from '../../../../src/pages/grid/selection.ts';

const context = {
  rows: 20,
  fields: ['a', 'b', 'c', 'd', 'e'],
  widths: [50, 60, 70, 80, 90],
  pageRows: 8,
};
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
): CellPosition | null => moveIn(context, name, { row, column }, modifiers);

/** Where a key moves to; null if it does something else or nothing. */
function moveIn(
  grid: typeof context,
  name: string,
  active: CellPosition,
  modifiers?: Partial<KeyPress>,
): CellPosition | null {
  const action = keyAction(key(name, modifiers), { ...grid, active });
  return action?.kind === 'moved' ? action.to : null;
}

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

  it('jump to an edge with Control', () => {
    assert.deepEqual(move('ArrowDown', 3, 2, { ctrlKey: true }), { row: 19, column: 2 });
    assert.deepEqual(move('ArrowUp', 3, 2, { metaKey: true }), { row: 0, column: 2 });
    assert.deepEqual(move('ArrowUp', 0, 2, { ctrlKey: true }), { row: -1, column: 2 });
    assert.deepEqual(move('ArrowRight', 3, 2, { ctrlKey: true }), { row: 3, column: 4 });
    assert.deepEqual(move('ArrowLeft', 3, 2, { ctrlKey: true }), { row: 3, column: 0 });
  });

  const press = (name: string, row: number, modifiers?: Partial<KeyPress>) =>
    keyAction(key(name, modifiers), { ...context, active: { row, column: 2 } });
  const action = (name: string, row: number, modifiers?: Partial<KeyPress>) =>
    press(name, row, modifiers)?.kind;

  it('extend the selection with Shift, but not into the header', () => {
    const shift = { shiftKey: true };
    for (const [row, name, mode] of [
      [3, 'ArrowDown', 'extend'],
      [3, 'PageUp', 'extend'],
      [-1, 'ArrowDown', 'move'],
    ] as const) {
      const moved = press(name, row, shift);
      assert.equal(moved?.kind === 'moved' && moved.mode, mode, `${name} from ${row}`);
    }
    const stays: GridAction = { kind: 'moved', to: { row: 0, column: 2 }, mode: 'extend' };
    for (const name of ['ArrowUp', 'PageUp']) assert.deepEqual(press(name, 0, shift), stays, name);
    const toTheTop = press('ArrowUp', 0, { ...shift, ctrlKey: true });
    assert.deepEqual(toTheTop, stays);
  });

  it('sort in the header, and open details, select and copy below it', () => {
    for (const name of ['Enter', ' ']) {
      assert.deepEqual(press(name, -1), { kind: 'sorted', field: 'c' });
      assert.equal(action(name, 0), 'detailsOpened');
    }
    assert.equal(action(' ', 0, { shiftKey: true }), 'rowsSelected');
    for (const modifier of [{ ctrlKey: true }, { metaKey: true }]) {
      assert.equal(action('a', 0, modifier), 'allSelected');
      assert.equal(action('C', 0, { ...modifier, shiftKey: true }), 'copyRequested');
    }
    assert.equal(action('Escape', 0), 'escaped');
  });

  it('move and resize a column with Alt', () => {
    const moved = { kind: 'columnMoved', field: 'c', target: 'b' };
    assert.deepEqual(press('ArrowLeft', 0, { altKey: true }), moved);
    const wider = press('ArrowRight', 0, { altKey: true, shiftKey: true });
    assert.deepEqual(wider, { kind: 'columnResized', field: 'c', width: 86 });
    const fitting = press('Home', 0, { altKey: true, shiftKey: true });
    assert.deepEqual(fitting, { kind: 'columnResized', field: 'c', width: null });
    assert.equal(press('ArrowUp', 0, { altKey: true }), null);
  });

  it('leave every other key to VS Code', () => {
    for (const name of ['Tab', 'a', 'F1', 'F5', 'F10']) assert.equal(press(name, 0), null);
    assert.equal(press('r', 0, { ctrlKey: true }), null);
    assert.equal(press('c', 0, { ctrlKey: true }), null);
  });

  it('do not include any other key', () => {
    for (const name of ['Tab', 'Enter', 'a', 'F1', 'Escape']) assert.equal(move(name, 3, 2), null);
    assert.equal(move('ArrowLeft', 3, 2, { altKey: true }), null);
    assert.equal(move('c', 3, 2, { ctrlKey: true }), null);
  });

  it('stay in the header of a grid without rows', () => {
    const empty = { ...context, rows: 0 };
    const active = { row: -1, column: 1 };
    for (const name of ['ArrowDown', 'PageDown', 'ArrowUp'])
      assert.deepEqual(moveIn(empty, name, active), active);
    const home = moveIn(empty, 'Home', active, { ctrlKey: true });
    assert.deepEqual(home, { row: -1, column: 0 });
  });
});
