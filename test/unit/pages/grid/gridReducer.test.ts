import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gridPositions, selectionOf, type GridAction } from '../../../../src/pages/grid/model.ts';
import { gridWithDetails } from '../../../../src/pages/table/state/details.ts';
import type { OpenState } from '../../../../src/pages/table/state/pageState.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';
import { gridOf } from '../../../../src/pages/table/state/shownRows.ts';
import { aDisplay } from '../../../support/display.ts';
import { description, openState, pageOf, stateWithRows } from '../builders.ts';

const rows = [
  ['1', '30'],
  ['2', '10'],
  ['3', '20'],
];
const start = (): OpenState => stateWithRows({ ...pageOf(0), rows });

function after(state: OpenState, ...actions: GridAction[]): OpenState {
  return actions.reduce(
    (before, action) => openState(reduce(before, { kind: 'grid', action })),
    state,
  );
}

const placeOf = (state: OpenState) => {
  const { active, selection, order } = gridPositions(gridOf(state));
  return { active, selection, rows: order.rows, columns: order.columns };
};
const move = (row: number, column: number, mode: 'move' | 'extend' | 'add' = 'move') =>
  ({ kind: 'moved', to: { row, column }, mode }) as const;

describe('the grid of a page', () => {
  it('sorts a column up, down, and back, and stays on the active record', () => {
    const sort: GridAction = { kind: 'sorted', field: 'price' };
    const up = after(start(), move(0, 1), sort);
    assert.deepEqual([placeOf(up).rows, placeOf(up).active.row], [[1, 2, 0], 2]);
    assert.match(up.announcement, /ascending/);
    const down = after(up, sort);
    assert.deepEqual([placeOf(down).rows, placeOf(down).active.row], [[0, 2, 1], 0]);
    assert.deepEqual(placeOf(after(down, sort)).rows, [0, 1, 2]);
  });

  it('selects all rows, and Escape first clears the selection, then closes the details', () => {
    const all = after(start(), { kind: 'detailsOpened' }, { kind: 'allSelected' });
    assert.equal(placeOf(all).selection[0]?.isRows, true);
    const cleared = after(all, { kind: 'escaped' });
    assert.deepEqual([placeOf(cleared).selection, cleared.grid.areDetailsOpen], [[], true]);
    assert.equal(after(cleared, { kind: 'escaped' }).grid.areDetailsOpen, false);
  });

  it('leaves the header when it selects all rows, so that they are what is copied', () => {
    const clicked = after(start(), move(-1, 1), { kind: 'sorted', field: 'price' });
    const all = after(clicked, { kind: 'allSelected' });
    assert.deepEqual(placeOf(all).active, { row: 0, column: 1 });
    assert.equal(selectionOf(gridOf(all)).rows.length, rows.length);
  });

  it('adds a range to the active cell or to the selection', () => {
    const two = after(start(), move(0, 0), move(2, 1, 'add'));
    assert.equal(placeOf(two).selection.length, 2);
    assert.deepEqual(placeOf(after(two, move(1, 1))).selection, []);
  });

  it('starts over on another page, in the same column', () => {
    const moved = after(start(), move(2, 1), move(1, 1, 'extend'));
    const page = { ...pageOf(0), id: 2, rows };
    const asked = openState(reduce(moved, { kind: 'pageChosen', page: 1 }));
    const next = openState(reduce(asked, { kind: 'rowsReceived', page }));
    assert.deepEqual(placeOf(next).active, { row: 0, column: 1 });
    assert.deepEqual(placeOf(next).selection, []);
  });

  const columns = [
    { field: 'tradeId', label: 'Trade id', kind: 'id' },
    { field: 'price', label: 'Price', kind: 'decimal' },
  ] as const;

  function trades(...ids: string[]): OpenState {
    const page = { ...pageOf(0), rows: ids.map((id) => [id, '10']) };
    return stateWithRows(page, undefined, { ...description, columns });
  }

  function refreshed(state: OpenState, ...ids: string[]): OpenState {
    const asked = openState(reduce(state, { kind: 'refreshed' }));
    const page = { ...pageOf(0), id: 2, rows: ids.map((id) => [id, '10']) };
    return openState(reduce(asked, { kind: 'rowsReceived', page }));
  }

  it('stays with its records when a failure is retried, and in the latest part of a period, which ends later', () => {
    const failure = { kind: 'rateLimited', sentence: '' };
    const moved = after(trades('7', '6', '5'), move(1, 0));
    const asked = openState(reduce(moved, { kind: 'refreshed' }));
    const failed = openState(reduce(asked, { kind: 'requestFailed', failure }));
    assert.equal(placeOf(refreshed(failed, '8', '7', '6')).active.row, 2);
    const part = (to: number) => ({ from: 1, to, older: 1, newer: null });
    const latest = openState(
      reduce(moved, { kind: 'rowsReceived', page: { ...pageOf(0), id: 3, rows, part: part(9) } }),
    );
    const again = { ...pageOf(0), id: 4, rows: [['0', '5'], ...rows], part: part(10) };
    const next = after(latest, move(1, 0));
    const reread = openState(
      reduce(openState(reduce(next, { kind: 'refreshed' })), {
        kind: 'rowsReceived',
        page: again,
      }),
    );
    assert.equal(placeOf(reread).active.row, 2);
  });

  it('shows the details before those of another row until they arrive, but none of another display', () => {
    const opened = start();
    const { display } = opened;
    const value = { fields: [], extra: [] };
    const rowAt = (row: number) => ({ pageId: 1, row });
    const requested = (state: OpenState, row: number, as = display): OpenState =>
      openState(reduce(state, { kind: 'detailsRequested', row: rowAt(row), display: as }));
    const first = openState(
      reduce(requested(opened, 0), {
        kind: 'detailsAnswered',
        row: rowAt(0),
        display,
        answer: { kind: 'loaded', value },
      }),
    );
    const shown = (state: OpenState) => gridWithDetails(state).details;
    assert.deepEqual(shown(first), { kind: 'loaded', value });
    const others = requested(requested(first, 1), 2);
    assert.deepEqual(shown(others), { kind: 'loading', earlier: value });
    const masked = aDisplay({ hidesMoney: true });
    const hidden = { ...requested(first, 0, masked), display: masked };
    assert.deepEqual(shown(hidden), { kind: 'loading', earlier: undefined });
    assert.equal(shown({ ...first, display: masked }), undefined);
  });

  it('shows the newest rows first where nobody moved', () => {
    const again = refreshed(trades('7', '6'), '9', '8', '7', '6');
    assert.equal(placeOf(again).active.row, 0);
  });

  it('keeps the active cell in its column while columns move', () => {
    const moved = after(start(), move(0, 1), {
      kind: 'columnMoved',
      field: 'price',
      target: 'time',
    });
    assert.deepEqual([placeOf(moved).columns, placeOf(moved).active.column], [[1, 0], 0]);
    const reset = after(moved, { kind: 'layoutReset' });
    assert.deepEqual([placeOf(reset).columns, placeOf(reset).active.column], [[0, 1], 1]);
    const hidden = after(moved, { kind: 'columnToggled', field: 'price' });
    assert.deepEqual([placeOf(hidden).columns, placeOf(hidden).active.column], [[0], 0]);
  });

  const step = (state: OpenState, by: 1 | -1) => after(state, { kind: 'findStepped', by });

  it('walks through every match, row by row, and begins again', () => {
    const cells = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(cells, (isMatch) => {
        const matches = isMatch.flatMap((ofRow, row) =>
          ofRow.flatMap((matched, column) => (matched ? [{ row, column }] : [])),
        );
        const shown = isMatch.map((ofRow) => ofRow.map((matched) => (matched ? 'x' : 'y')));
        let state = after(stateWithRows({ ...pageOf(0), rows: shown }), {
          kind: 'findTyped',
          text: 'x',
        });
        for (const match of [...matches, ...matches]) {
          assert.deepEqual(placeOf(state).active, match);
          state = step(state, 1);
        }
        for (const match of matches.toReversed()) {
          state = step(state, -1);
          assert.deepEqual(placeOf(state).active, match);
        }
      }),
    );
  });

  it('finds text as shown and as written, and walks around the ends', () => {
    const find = after(start(), { kind: 'findTyped', text: '0' });
    assert.deepEqual(placeOf(find).active, { row: 0, column: 1 });
    const next = step(find, 1);
    assert.deepEqual(placeOf(next).active, { row: 1, column: 1 });
    assert.deepEqual(placeOf(step(step(next, 1), 1)).active, { row: 0, column: 1 });
    assert.deepEqual(placeOf(step(find, -1)).active, { row: 2, column: 1 });
    assert.deepEqual(placeOf(after(next, { kind: 'findTyped', text: 'no' })).active.row, 1);
  });

  it('says what was copied until the next move', () => {
    const selection = { pageId: 1, columns: [0], rows: [], isRows: true };
    const copied = after(start(), { kind: 'copied', selection });
    assert.equal(copied.grid.copied, 'Copied 0 rows');
    assert.equal(copied.announcement, 'Copied 0 rows');
    assert.equal(after(copied, move(1, 1)).grid.copied, '');
  });
});
