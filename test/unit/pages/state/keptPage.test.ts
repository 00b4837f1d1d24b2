import assert from 'node:assert/strict';
import { gridPositions } from '../../../../src/pages/grid/model.ts';
import type { Action, Transition } from '../../../../src/pages/table/state/pageState.ts';
import { pageViewOf } from '../../../../src/pages/table/state/receivedRows.ts';
import { gridOf } from '../../../../src/pages/table/state/shownRows.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';
import type { KeptPage, TableDescription, TableQuery } from '../../../../src/protocol/table.ts';
import {
  description,
  firstQuery,
  formValueOf,
  openingState,
  openState,
  pageOf,
} from '../builders.ts';

const page = pageOf(20);
const shown = { query: firstQuery, page };
const view = {
  zone: 'UTC',
  formValues: { symbol: 'eth', statuses: ['EXECUTED'], page: '7' },
  find: 'usdt',
  grid: {
    sort: { field: 'symbol', isDescending: true },
    active: { row: 14, column: 1 },
    selection: [{ anchor: { row: 12, column: 1 }, end: { row: 14, column: 1 }, isRows: false }],
    pageId: page.id,
    scroll: { pageId: page.id, top: 240, left: 12 },
    areDetailsOpen: true,
  },
};
const failure = { kind: 'rateLimited', sentence: 'Too many.', retryAt: 5000 };

/** Opens a page after the one before it was discarded. */
function reopen(
  kept: Partial<KeptPage>,
  query: TableQuery = firstQuery,
  changes: Partial<TableDescription> = {},
): Transition {
  const nothing = { shown: null, failed: null, view: null, outdatedPageId: null };
  return reduce(openingState(), {
    kind: 'descriptionReceived',
    description: { ...description, query, ...changes, kept: { ...nothing, ...kept } },
  });
}

describe('a table page that the host kept something for', () => {
  it('shows its rows, typed text and grid again, without a request', () => {
    const step = reopen({ shown, view });
    const state = openState(step);
    assert.equal(step.request, null);
    assert.deepEqual([state.body, state.shown], [{ kind: 'rows' }, shown]);
    assert.deepEqual([formValueOf(state, 'symbol'), formValueOf(state, 'side')], ['eth', '']);
    assert.deepEqual(state.formValues.statuses, ['EXECUTED']);
    const { grid } = view;
    const { active, selection } = gridPositions(gridOf(state));
    assert.deepEqual({ active, selection }, { active: grid.active, selection: grid.selection });
    const next = pageViewOf(state);
    assert.deepEqual([next.grid, next.find, next.formValues.page], [grid, 'usdt', '7']);
  });

  it('still says that there are newer rows', () => {
    const { id } = shown.page;
    assert.equal(openState(reopen({ shown, view, outdatedPageId: id })).outdatedPageId, id);
  });

  it('keeps a page number that was typed until another page is shown', () => {
    const opened = openState(reopen({ shown, view }));
    const step = (...actions: Action[]) =>
      actions.reduce((state, action) => openState(reduce(state, action)), opened);
    const retyped: Action = { kind: 'filterEdited', parameter: 'page', value: '8' };
    const read: Action = { kind: 'rowsReceived', page: pageOf(20, { id: 2 }) };
    assert.equal(step(retyped, { kind: 'refreshed' }, read).formValues.page, '8');
    assert.equal(step({ kind: 'pageChosen', page: 1 }).formValues.page, undefined);
    assert.equal(step({ kind: 'pageTyped', text: '8' }).formValues.page, undefined);
  });

  it('does so for the latest part of a period, which the query names since', () => {
    const part = { from: 1, to: 9, older: 1, newer: null };
    const query = { ...firstQuery, part: { to: 9, isLatest: true } };
    const step = reopen({ shown: { query: firstQuery, page: pageOf(20, { part }) } }, query);
    assert.equal(step.request, null);
    assert.deepEqual(openState(step).query, query);
  });

  it('shows a failure again, with the rows before it and its countdown', () => {
    const query = { ...firstQuery, page: 1 };
    const step = reopen({ shown, failed: { query, failure } }, query);
    const { body, shown: earlier } = openState(step);
    assert.equal(step.request, null);
    assert.deepEqual([body, earlier], [{ kind: 'failed', request: 'page', failure }, shown]);
    assert.deepEqual(openState(step).query, query);
  });

  it('requests rows that did not arrive, beside the ones before', () => {
    const step = reopen({ shown }, { ...firstQuery, page: 1 });
    assert.equal(step.request, 'page');
    assert.equal(openState(step).query.page, 1);
    assert.deepEqual(openState(step).shown, shown);
  });

  it('requests the rows of a command’s filters', () => {
    const step = reopen({ shown }, firstQuery, { initialFilters: { symbol: 'eth_usdt' } });
    assert.equal(step.request, 'page');
    assert.equal(openState(step).shown, null);
  });

  it('drops typed dates of another time zone', () => {
    const typed = { ...view, zone: 'Asia/Tokyo', formValues: { dateFrom: '2026-11-20T10:00' } };
    assert.equal(formValueOf(openState(reopen({ shown, view: typed })), 'dateFrom'), '');
  });

  it('starts a new page at its first row', () => {
    const next = reduce(reopen({ shown, view }).state, { kind: 'pageChosen', page: 1 });
    const received = reduce(next.state, { kind: 'rowsReceived', page: pageOf(20, { id: 2 }) });
    const { active, selection } = gridPositions(gridOf(openState(received)));
    assert.deepEqual({ active, selection }, { active: { row: 0, column: 1 }, selection: [] });
  });
});
