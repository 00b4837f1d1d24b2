import assert from 'node:assert/strict';
import fc from 'fast-check';
import { followRecords, followVisible } from '../../../../src/pages/grid/follow.ts';
import { gridPositions, type Grid, type GridAction } from '../../../../src/pages/grid/model.ts';
import { reduceGrid } from '../../../../src/pages/grid/reducer.ts';
import { gridOf } from '../../../../src/pages/table/state/shownRows.ts';
import { description, firstQuery, openState, pageOf, stateWithRows } from '../builders.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';

/** A record is a name and a price. */
type Records = readonly (readonly [name: string, price: string])[];

const first: Records = [
  ['a', '10'],
  ['b', '20'],
  ['c', '30'],
  ['d', '40'],
];

function gridWith(id: number, records: Records, ...actions: readonly GridAction[]): Grid {
  const rows = records.map(([, price], index) => [String(index), price]);
  const read = gridOf(stateWithRows({ ...pageOf(0), id, rows }));
  return { ...actions.reduce(after, read), keys: () => records.map(([name]) => name) };
}

function after(grid: Grid, action: GridAction): Grid {
  return { ...grid, state: reduceGrid(grid, action) };
}

const move = (row: number, column: number, mode: 'move' | 'extend' | 'add' = 'move') =>
  ({ kind: 'moved', to: { row, column }, mode }) as const;

/** What the grid shows of these records once they were read again. */
function readAgain(records: Records, ...actions: readonly GridAction[]) {
  const before = gridWith(1, first, ...actions);
  const grid = { ...gridWith(2, records), state: before.state };
  return { grid: { ...grid, state: followRecords(before, grid) }, records };
}

function seen({ grid, records }: ReturnType<typeof readAgain>) {
  const { order, active, selection } = gridPositions(grid);
  const nameAt = (row: number) => records[order.rows[row] ?? -1]?.[0];
  return {
    active: nameAt(active.row),
    selected: selection.map(({ anchor, end }) => [nameAt(anchor.row), nameAt(end.row)]),
  };
}

const swapped: Records = [
  ['d', '5'],
  ['a', '10'],
  ['b', '20'],
  ['c', '30'],
];

describe('a grid whose rows are read again', () => {
  it('keeps the active cell and the selection at their records', () => {
    const again = readAgain(swapped, move(1, 1), move(2, 1, 'extend'));
    assert.deepEqual(seen(again), { active: 'c', selected: [['b', 'c']] });
    assert.equal(again.grid.state.active.column, 1);
  });

  it('keeps the selection at its symbol if the records have no id', () => {
    const columns = [
      { field: 'symbol', label: 'Symbol', kind: 'text' },
      { field: 'price', label: 'Price', kind: 'decimal' },
    ] as const;
    const rows = (...symbols: string[]) => symbols.map((symbol) => [symbol, '1']);
    const read = stateWithRows(
      { ...pageOf(0), id: 1, rows: rows('ada_usdt', 'btc_usdt') },
      firstQuery,
      { ...description, columns },
    );
    const selected = openState(reduce(read, { kind: 'grid', action: move(1, 0) }));
    const page = { ...pageOf(0), id: 2, rows: rows('btc_usdt', 'new_usdt', 'ada_usdt') };
    const again = openState(reduce(selected, { kind: 'rowsReceived', page }));
    assert.equal(gridPositions(gridOf(again)).active.row, 0);
  });

  it('keeps the end from which a selection goes on', () => {
    const again = readAgain(swapped, move(2, 0), move(1, 0, 'extend'));
    assert.deepEqual(seen(again).selected, [['c', 'b']]);
  });

  it('selects no row that came between the selected ones', () => {
    const between: Records = [first[0] ?? assert.fail(), ['new', '15'], ...first.slice(1)];
    const again = readAgain(between, move(0, 0), move(2, 0, 'extend'));
    assert.deepEqual(seen(again).selected, [
      ['a', 'a'],
      ['b', 'c'],
    ]);
  });

  it('keeps the sort, by the new figures', () => {
    const byPrice = { kind: 'sorted', field: 'price' } as const;
    const again = readAgain(swapped, byPrice, byPrice, move(0, 1));
    assert.deepEqual(gridPositions(again.grid).order.rows, [3, 2, 1, 0]);
    assert.equal(seen(again).active, 'd');
  });

  it('forgets the selection of a record that is gone, and stays at its place', () => {
    const again = readAgain(first.slice(0, 2), move(3, 0), move(2, 0, 'extend'));
    assert.deepEqual(seen(again), { active: 'b', selected: [] });
  });

  it('keeps an active header and the scroll position', () => {
    const scroll = { pageId: 1, top: 48, left: 7 };
    const again = readAgain(swapped, move(-1, 1), { kind: 'scrolled', scroll });
    assert.equal(gridPositions(again.grid).active.row, -1);
    assert.deepEqual(again.grid.state.scroll, { ...scroll, pageId: 2 });
  });

  it('keeps the first visible record in its place, unless it is at the top or the record is gone', () => {
    const names = fc.uniqueArray(fc.constantFrom(...'a b c d e f g h i j'.split(' ')), {
      minLength: 1,
    });
    const pixels = fc.nat(9 * 24);
    fc.assert(
      fc.property(names, names, pixels, (earlier, later, top) => {
        const recordsOf = (own: readonly string[]): Records => own.map((name) => [name, '1']);
        const scroll = { pageId: 1, top, left: 7 };
        const before = gridWith(1, recordsOf(earlier), { kind: 'scrolled', scroll });
        const after = { ...gridWith(2, recordsOf(later)), state: before.state };
        const place = Math.floor(top / 24);
        const placeNow = later.indexOf(earlier[place] ?? '');
        const moved = top === 0 || placeNow < 0 ? 0 : (placeNow - place) * 24;
        const expected = { pageId: 2, top: top + moved, left: 7 };
        assert.deepEqual(followVisible(before, after).scroll, expected);
      }),
    );
  });

  it('still selects and copies on the new page', () => {
    const again = readAgain(swapped, move(1, 0), { kind: 'rowsSelected' });
    const moved = after(again.grid, move(0, 0));
    assert.equal(gridPositions(moved).selection.length, 0);
    assert.equal(moved.state.pageId, 2);
  });
});
