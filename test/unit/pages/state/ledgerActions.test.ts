import assert from 'node:assert/strict';
import { gridPositions, shownSort } from '../../../../src/pages/grid/model.ts';
import { gridOf } from '../../../../src/pages/table/state/shownRows.ts';
import type { DetailsState } from '../../../../src/pages/table/state/pageState.ts';
import type { Action } from '../../../../src/pages/table/state/pageState.ts';
import { pageViewOf } from '../../../../src/pages/table/state/receivedRows.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';
import type { TableDescription, TablePage, TableQuery } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';
import {
  description,
  texts,
  whyEmpty,
  firstQuery,
  loadingState,
  openingState,
  openState,
  pageOf,
  stateWithRows,
} from '../builders.ts';

const withLedger: TableDescription = {
  ...description,
  source: 'ledger',
  columns: [
    { field: 'orderId', label: 'Order id', kind: 'id' },
    { field: 'amount', label: 'Amount', kind: 'decimal', unitField: 'symbol' },
  ],
};
const all = { search: '', sort: null };
const ledgerQuery: TableQuery = { filters: {}, page: 0, size: 20_000, ledger: all };

/** A page that shows rows of the ledger. */
function ledgerState(fields: Partial<NonNullable<TableQuery['ledger']>> = {}) {
  const query = { ...ledgerQuery, ledger: { ...all, ...fields } };
  return stateWithRows(pageOf(20), query, withLedger);
}

/** What an action makes the page ask for; undefined if it asks for nothing. */
function askedBy(action: Action, state = ledgerState()): TableQuery | undefined {
  const after = reduce(state, action);
  return after.request === 'page' ? openState(after).query : undefined;
}

const sorted = (field: string): Action => ({ kind: 'grid', action: { kind: 'sorted', field } });

describe('the source of a table page', () => {
  it('is named where it has no rows: the exchange may have some', () => {
    const nothing = pageOf(0, { totalElements: '0', totalPages: '1' });
    const empty = stateWithRows(nothing, ledgerQuery, withLedger);
    assert.equal(whyEmpty(empty), texts.emptyLedger);
    assert.equal(empty.announcement, empty.texts.emptyLedger);
    const searched = { ...ledgerQuery, ledger: { ...all, search: '12' } };
    assert.equal(whyEmpty(stateWithRows(nothing, searched, withLedger)), texts.noMatch);
  });

  it('is what the host names, with all rows of the ledger on one page', () => {
    assert.deepEqual(loadingState(firstQuery, withLedger).query, ledgerQuery);
    const exchange = { ...withLedger, source: 'exchange' } as const;
    assert.deepEqual(loadingState(ledgerQuery, exchange).query, firstQuery);
    const none = { ...withLedger, source: null };
    assert.deepEqual(loadingState({ ...ledgerQuery, page: 3 }, none).query, firstQuery);
  });

  it('has all rows again where only the first were asked for last', () => {
    const last = { ...ledgerQuery, ledger: { ...all, isStart: true as const } };
    assert.deepEqual(loadingState(last, withLedger).query, ledgerQuery);
  });

  it('keeps search, order and page of the panel’s last query', () => {
    const sort = { field: 'orderId', isDescending: true };
    const last = { ...ledgerQuery, page: 2, ledger: { search: '12', sort } };
    assert.deepEqual(loadingState(last, withLedger).query, last);
    const opened = { ...withLedger, initialFilters: { symbol: 'btc_usdt' } };
    const expected = { ...ledgerQuery, filters: { symbol: 'btc_usdt' } };
    assert.deepEqual(loadingState(last, opened).query, expected);
  });

  it('changes with the first page of the same filters', () => {
    const filters = { symbol: 'btc_usdt' };
    const exchange = { ...withLedger, source: 'exchange' } as const;
    const state = stateWithRows(pageOf(20), { ...firstQuery, filters, page: 2 }, exchange);
    const toLedger = { kind: 'sourceChosen', source: 'ledger' } as const;
    assert.deepEqual(askedBy(toLedger, state), { ...ledgerQuery, filters });
    const back = { kind: 'sourceChosen', source: 'exchange' } as const;
    assert.deepEqual(askedBy(back), firstQuery);
    assert.equal(askedBy(toLedger), undefined);
  });

  it('is the exchange again after the ledger failed, and says why', () => {
    const failure = { kind: 'configuration', sentence: 'The ledger could not be read.' };
    const after = reduce(loadingState(firstQuery, withLedger), { kind: 'requestFailed', failure });
    const { query, actionError, body } = openState(after);
    assert.deepEqual([after.request, query, body.kind], ['page', firstQuery, 'loading']);
    assert.equal(actionError, 'The ledger could not be read.');
    const shown = reduce(openState(after), { kind: 'rowsReceived', page: pageOf(20) });
    assert.equal(openState(shown).actionError, 'The ledger could not be read.');
  });
});

describe('rows that only the exchange has', () => {
  it('are shown up to the moment from which on the ledger has all', () => {
    const filters = { symbol: 'btc_usdt', dateFrom: '2026-11-19T10:00:00.000Z' };
    const state = { ...ledgerState(), query: { ...ledgerQuery, filters } };
    const asked = askedBy({ kind: 'olderChosen', before: Date.parse(filters.dateFrom) }, state);
    // A query has the whole second of its end.
    const dateTo = '2026-11-19T09:59:59.000Z';
    assert.deepEqual(asked, { ...firstQuery, filters: { symbol: 'btc_usdt', dateTo } });
  });
});

describe('a header press on rows of the ledger', () => {
  it('sorts all rows: ascending, descending, then newest first', () => {
    const sort = (isDescending: boolean) => ({ field: 'amount', isDescending });
    assert.deepEqual(askedBy(sorted('amount'))?.ledger?.sort, sort(false));
    const ascending = ledgerState({ sort: sort(false) });
    assert.deepEqual(askedBy(sorted('amount'), ascending)?.ledger?.sort, sort(true));
    const descending = ledgerState({ sort: sort(true) });
    assert.equal(askedBy(sorted('amount'), descending)?.ledger?.sort, null);
  });

  it('leaves the rows in the order of the ledger, and says that it is that of all rows', () => {
    const sort = { field: 'amount', isDescending: true };
    const state = ledgerState({ sort });
    const sortedHere = {
      ...state,
      grid: { ...state.grid, sort: { ...sort, isDescending: false } },
    };
    const places = Array.from({ length: 20 }, (_none, place) => place);
    assert.deepEqual(gridPositions(gridOf(sortedHere)).order.rows, places);
    assert.deepEqual(shownSort(gridOf(sortedHere)), sort);
    assert.equal(gridOf(sortedHere).sortedWord, state.texts.allRows);
  });

  it('does nothing to a column that privacy hides, whose order ends with privacy', () => {
    const display = aDisplay({ hidesMoney: true });
    assert.equal(askedBy(sorted('amount'), { ...ledgerState(), display }), undefined);
    const state = ledgerState({ search: '1', sort: { field: 'amount', isDescending: true } });
    const hidden = { kind: 'displayChanged', display: display.settings, page: pageOf(20) } as const;
    assert.deepEqual(askedBy(hidden, state)?.ledger, { search: '1', sort: null });
    assert.equal(openState(reduce(state, hidden)).body.kind, 'loading');
  });
});

describe('the search of the ledger', () => {
  it('asks for the first page of what matches, once', () => {
    const search = { kind: 'searchChosen', text: '12' } as const;
    const state = { ...ledgerState(), query: { ...ledgerQuery, page: 1 } };
    assert.deepEqual(askedBy(search, state), { ...ledgerQuery, ledger: { ...all, search: '12' } });
    assert.equal(askedBy(search, ledgerState({ search: '12' })), undefined);
  });

  it('keeps what is typed into it for the next page of the panel, until it is applied', () => {
    const typed = { kind: 'filterEdited', parameter: 'search', value: '123' } as const;
    const state = openState(reduce(ledgerState({ search: '12' }), typed));
    const view = pageViewOf(state);
    const kept = {
      shown: { query: state.query, page: pageOf(20) },
      failed: null,
      view,
      outdatedPageId: null,
    };
    const described = { ...state.description, query: state.query, kept };
    const reopened = reduce(openingState(), {
      kind: 'descriptionReceived',
      description: described,
    });
    assert.equal(reopened.request, null);
    assert.equal(openState(reopened).formValues.search, '123');
    for (const text of ['12', '123', '']) {
      const applied = reduce(state, { kind: 'searchChosen', text });
      assert.equal(openState(applied).formValues.search, undefined, text);
    }
  });

  it('stays with other filters and ends with the last of them', () => {
    const symbol = { kind: 'filterChosen', parameter: 'symbol', value: 'btc_usdt' } as const;
    const searched = ledgerState({ search: '12' });
    assert.equal(askedBy(symbol, searched)?.ledger?.search, '12');
    assert.deepEqual(askedBy({ kind: 'filtersReset' }, searched), ledgerQuery);
  });
});

describe('a page whose ledger has changed', () => {
  const idsFrom = (first: number, id: number): TablePage => ({
    ...pageOf(20),
    id,
    rows: Array.from({ length: 20 }, (_none, index) => [String(first - index), '1.10']),
  });
  const before = idsFrom(119, 1);
  const shown = stateWithRows(before, ledgerQuery, withLedger);
  const changed = { kind: 'ledgerChanged', pageId: before.id } as const;
  const at = (row: number) => ({ row, column: 0 });

  const detailsOf = (kind: 'loading' | 'loaded'): DetailsState => ({
    row: { pageId: 1, row: 4 },
    display: shown.display,
    answer: kind === 'loaded' ? { kind, value: noDetails } : { kind },
  });
  const noDetails = { fields: [], extra: [] };

  it('reads its rows again, which stay until then', () => {
    const after = reduce(shown, changed);
    assert.deepEqual([after.request, after.state], ['page', shown]);
    assert.equal(reduce(shown, { ...changed, pageId: 2 }).request, null);
    const loading = openState(reduce(shown, sorted('orderId')));
    assert.equal(reduce(loading, changed).request, null);
  });

  it('stays where it was: with its active cell, selection, first visible row and details', () => {
    const grid = {
      ...shown.grid,
      active: at(4),
      selection: [{ anchor: at(3), end: at(5), isRows: true }],
      pageId: 1,
      scroll: { pageId: 1, top: 50, left: 7 },
      areDetailsOpen: true,
    };
    const details = detailsOf('loaded');
    const page = idsFrom(121, 2);
    const after = openState(reduce({ ...shown, grid, details }, { kind: 'rowsReceived', page }));
    assert.deepEqual(after.grid.active, at(6));
    assert.deepEqual(after.grid.selection, [{ anchor: at(5), end: at(7), isRows: true }]);
    assert.deepEqual(after.grid.scroll, { pageId: 2, top: 98, left: 7 });
    assert.deepEqual(after.details?.row, { pageId: 2, row: 6 });
    assert.equal(after.announcement, shown.announcement);
    const loading = { ...shown, grid, details: detailsOf('loading') };
    const asked = openState(reduce(loading, { kind: 'rowsReceived', page }));
    assert.deepEqual(asked.details?.row, { pageId: 1, row: 4 }, 'its answer is of that row');
  });

  it('shows new rows at its top, and the details of a record as it is now', () => {
    const grid = {
      ...shown.grid,
      pageId: 1,
      scroll: { pageId: 1, top: 0, left: 0 },
    };
    const details = detailsOf('loaded');
    const moved = idsFrom(121, 2);
    const page = {
      ...moved,
      rows: moved.rows.map(([id, amount]) => [id ?? '', id === '115' ? '2' : (amount ?? '')]),
    };
    const after = openState(reduce({ ...shown, grid, details }, { kind: 'rowsReceived', page }));
    assert.equal(after.grid.scroll?.top, 0);
    assert.deepEqual(after.details?.row, { pageId: 1, row: 4 }, 'asked for again');
  });

  it('follows records of one id by their order', () => {
    const twice = (id: number): TablePage => ({
      ...idsFrom(0, id),
      rows: [
        ['7', '1'],
        ['7', '2'],
      ],
    });
    const state = stateWithRows(twice(1), ledgerQuery, withLedger);
    const grid = { ...state.grid, active: at(1), pageId: 1 };
    const page = { ...twice(2), rows: [['8', '1'], ...twice(2).rows] };
    const after = openState(reduce({ ...state, grid }, { kind: 'rowsReceived', page }));
    assert.deepEqual(after.grid.active, at(2));
  });
});
