import assert from 'node:assert/strict';
import { keyAction, type KeyPress } from '../../../../src/pages/grid/keys.ts';
import type { GridAction } from '../../../../src/pages/grid/model.ts';

const context = {
  rows: 20,
  fields: ['a', 'b', 'c', 'd', 'e'],
  widths: [50, 60, 70, 80, 90],
  pageRows: 8,
};

/** What `Shift+ArrowUp` and the like do in this cell. */
function press(name: string, row: number, column = 2, rows = context.rows): GridAction | null {
  const [key = '', ...modifiers] = name.split('+').reverse();
  const pressed: KeyPress = {
    key,
    ctrlKey: modifiers.includes('Control'),
    metaKey: modifiers.includes('Meta'),
    shiftKey: modifiers.includes('Shift'),
    altKey: modifiers.includes('Alt'),
  };
  return keyAction(pressed, { ...context, rows, active: { row, column } });
}

const kindOf = (name: string, row: number) => press(name, row)?.kind;

type Place = readonly [row: number, column: number];

/** In twenty rows of five columns, with the header as row −1. */
const moves: readonly (readonly [key: string, from: Place, to: Place])[] = [
  ['ArrowRight', [3, 1], [3, 2]],
  ['ArrowRight', [3, 4], [3, 4]],
  ['ArrowLeft', [3, 0], [3, 0]],
  ['ArrowDown', [19, 2], [19, 2]],
  ['ArrowUp', [0, 2], [-1, 2]],
  ['ArrowUp', [-1, 2], [-1, 2]],
  ['ArrowDown', [-1, 2], [0, 2]],
  ['Home', [3, 2], [3, 0]],
  ['End', [3, 2], [3, 4]],
  ['PageDown', [3, 2], [11, 2]],
  ['PageDown', [15, 2], [19, 2]],
  ['PageUp', [5, 2], [0, 2]],
  ['PageUp', [0, 2], [-1, 2]],
  ['Control+Home', [3, 2], [0, 0]],
  ['Meta+End', [3, 2], [19, 4]],
  ['Control+ArrowDown', [3, 2], [19, 2]],
  ['Meta+ArrowUp', [3, 2], [0, 2]],
  ['Control+ArrowUp', [0, 2], [-1, 2]],
  ['Control+ArrowRight', [3, 2], [3, 4]],
  ['Control+ArrowLeft', [3, 2], [3, 0]],
];

describe('the keys of the grid', () => {
  it('move the active cell, and stop at the edges', () => {
    for (const [key, [row, column], [toRow, toColumn]] of moves)
      assert.deepEqual(
        press(key, row, column),
        { kind: 'moved', to: { row: toRow, column: toColumn }, mode: 'move' },
        `${key} at ${row}, ${column}`,
      );
  });

  it('extend the selection with Shift, but not into the header', () => {
    const mode = (name: string, row: number) => {
      const action = press(name, row);
      return action?.kind === 'moved' && action.mode;
    };
    assert.deepEqual(
      [mode('Shift+ArrowDown', 3), mode('Shift+PageUp', 3), mode('Shift+ArrowDown', -1)],
      ['extend', 'extend', 'move'],
    );
    const stays: GridAction = { kind: 'moved', to: { row: 0, column: 2 }, mode: 'extend' };
    for (const name of ['Shift+ArrowUp', 'Shift+PageUp', 'Control+Shift+ArrowUp'])
      assert.deepEqual(press(name, 0), stays, name);
  });

  it('sort in the header, and open details, select and copy below it', () => {
    for (const name of ['Enter', ' ']) {
      assert.deepEqual(press(name, -1), { kind: 'sorted', field: 'c' });
      assert.equal(kindOf(name, 0), 'detailsOpened');
    }
    assert.equal(kindOf('Shift+ ', 0), 'rowsSelected');
    for (const modifier of ['Control', 'Meta']) {
      assert.equal(kindOf(`${modifier}+a`, 0), 'allSelected');
      assert.equal(kindOf(`${modifier}+Shift+C`, 0), 'copyRequested');
    }
    assert.equal(kindOf('Escape', 0), 'escaped');
  });

  it('move and resize a column with Alt', () => {
    const resized = (width: number | null) => ({ kind: 'columnResized', field: 'c', width });
    const moved = { kind: 'columnMoved', field: 'c', target: 'b' };
    assert.deepEqual(press('Alt+ArrowLeft', 0), moved);
    assert.deepEqual(press('Alt+Shift+ArrowRight', 0), resized(86));
    assert.deepEqual(press('Alt+Shift+Home', 0), resized(null));
  });

  it('leave every other key to VS Code', () => {
    for (const name of ['Tab', 'a', 'F1', 'F10', 'Control+r', 'Control+c', 'Alt+ArrowUp'])
      assert.equal(press(name, 0), null, name);
  });

  it('stay in the header of a grid without rows', () => {
    for (const name of ['ArrowDown', 'PageDown', 'ArrowUp', 'Control+Home']) {
      const action = press(name, -1, 1, 0);
      assert.equal(action?.kind === 'moved' && action.to.row, -1, name);
    }
  });
});
