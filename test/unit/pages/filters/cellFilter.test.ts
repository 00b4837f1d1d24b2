import assert from 'node:assert/strict';
import type { OpenState } from '../../../../src/pages/table/state/pageState.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';
import type { TableDescription } from '../../../../src/protocol/table.ts';
import { description, firstQuery, openState, pageOf, stateWithRows } from '../builders.ts';

const table: TableDescription = {
  ...description,
  columns: [
    { field: 'symbol', label: 'Symbol', kind: 'text' },
    { field: 'status', label: 'Status', kind: 'enum' },
    { field: 'price', label: 'Price', kind: 'decimal' },
    { field: 'side', label: 'Side', kind: 'enum' },
  ],
};

/** The filters after the menu command on a cell of one row. */
function filtersAfter(column: number, row: readonly (string | null)[]) {
  const shown = stateWithRows({ ...pageOf(0), rows: [row] }, { ...firstQuery, page: 2 }, table);
  const moved: OpenState = openState(
    reduce(shown, {
      kind: 'grid',
      action: { kind: 'moved', to: { row: 0, column }, mode: 'move' },
    }),
  );
  const { state, request } = reduce(moved, { kind: 'activeCellChosen' });
  const { query } = state as OpenState;
  return { filters: query.filters, page: query.page, request };
}

describe('a filter by the value of a cell', () => {
  it('selects rows with the same symbol or status, from their first page', () => {
    assert.deepEqual(filtersAfter(0, ['eth_usdt']), {
      filters: { symbol: 'eth_usdt' },
      page: 0,
      request: 'page',
    });
    assert.deepEqual(filtersAfter(1, ['', 'CANCELED']).filters, { statuses: ['CANCELED'] });
    assert.deepEqual(filtersAfter(3, ['', '', '', 'SELL']).filters, { side: 'SELL' });
  });

  it('is none for a field without a filter, a value that is no option, and no value', () => {
    for (const [column, row] of [
      [2, ['', '', '5']],
      [1, ['', 'HALTED']],
      [0, [null]],
    ] as const)
      assert.deepEqual(filtersAfter(column, row), { filters: {}, page: 2, request: null });
  });
});
