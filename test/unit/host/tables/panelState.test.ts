import assert from 'node:assert/strict';
import {
  accountChanged,
  accountRead,
  initialState,
  queried,
  shownPage,
  type PanelState,
  type ReadPage,
  type StartAt,
} from '../../../../src/host/tables/panelState.ts';
import { mask } from '../../../../src/base/display.ts';
import type { Column, TableFilters, TableQuery } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';

const query: TableQuery = { filters: { side: 'BUY' }, page: 4, size: 50 };

const pageOf = (fields: Partial<ReadPage> = {}): ReadPage =>
  ({ id: 1, query, cells: [], readAt: 0, tradingState: 'flat', rows: {}, ...fields }) as ReadPage;

describe('the filters that a command opens a table with', () => {
  const filters = { symbol: 'btc_usdt', statuses: ['EXECUTED'] };
  const commanded: PanelState = {
    ...initialState,
    pending: filters,
    startAt: { fields: { orderId: '5' } },
    isOfStoredRow: true,
  };
  const asked = (state: PanelState, wanted: TableFilters): PanelState => ({
    ...state,
    ...queried(state, { filters: wanted, page: 0, size: 50 }),
  });

  it('wait for a query that has them, whatever else a page asks before', () => {
    const waiting = asked(commanded, { side: 'BUY' });
    assert.deepEqual([waiting.pending, waiting.isOfStoredRow], [filters, true]);
    const answered = asked(waiting, { ...filters, side: '' });
    assert.deepEqual([answered.pending, answered.isOfStoredRow], [null, false]);
    assert.deepEqual(answered.startAt, commanded.startAt);
  });
});

describe('a page that was read', () => {
  const shown = (fields: Partial<ReadPage> = {}): PanelState => ({
    ...initialState,
    page: pageOf(fields),
  });
  const traded = (state: PanelState, tradingState: string | undefined): PanelState => ({
    ...state,
    ...accountRead(state, tradingState),
  });

  it('may be outdated once the account has changed since it was requested', () => {
    assert.equal(traded(shown(), 'flat').outdatedPageId, null);
    assert.equal(traded(shown(), undefined).outdatedPageId, null);
    assert.equal(traded(shown(), 'long').outdatedPageId, 1);
  });

  it('is compared with the first state that is known of the account', () => {
    const first = traded(shown({ tradingState: undefined }), 'long');
    assert.equal(first.outdatedPageId, null);
    assert.equal(traded(first, 'flat').outdatedPageId, 1);
  });

  it('is forgotten with its account; the pages of another profile start at the first', () => {
    const asked = { ...shown(), query: { ...query, part: { to: 5, isLatest: false } } };
    const same = accountChanged(asked, false);
    const gone = { page: null, failure: null, view: null, startAt: undefined };
    assert.deepEqual(same, { ...gone, query: asked.query });
    const other = accountChanged(asked, true);
    assert.deepEqual(other.query, { ...query, page: 0, part: undefined });
  });
});

describe('the page that leaves the host', () => {
  const columns = ['orderId', 'symbol'].map((field) => ({ field, label: field, kind: 'text' }));
  const cells = [
    ['1', 'eth_usdt'],
    ['2', 'btc_usdt'],
    ['1', 'btc_usdt'],
  ];
  const item = { label: 'Equity', field: 'equity', cell: '12.5' };
  const rows = { summary: [{ title: '', items: [item] }], notes: [] };
  const nothing = { marks: [], summary: [], notes: [] };
  const pageWith = (startAt: StartAt, hidesMoney = false) => {
    const page = pageOf({ cells, rows: rows as unknown as ReadPage['rows'] });
    const display = aDisplay({ hidesMoney });
    return shownPage(page, nothing, startAt, columns as unknown as Column[], display);
  };

  it('starts at the first row that has every text, and says so if none has', () => {
    const fields = { orderId: '1', symbol: 'btc_usdt' };
    assert.equal(pageWith({ fields }).startRow, 2);
    const missing = pageWith({ fields: { ...fields, orderId: '3' }, missing: 'Not here.' });
    assert.deepEqual([missing.startRow, missing.isStartMissing], [null, true]);
    assert.deepEqual(missing.notes, ['Not here.']);
  });

  it('has a mask in place of what privacy hides beside the rows, too', () => {
    const { summary } = pageWith({ fields: {} }, true);
    assert.equal(summary[0]?.items[0]?.cell, mask);
  });
});
