import assert from 'node:assert/strict';
import {
  initialState,
  reduce,
  type PanelState,
  type ReadPage,
} from '../../../../src/host/tables/panelState.ts';
import type { TableFilters, TableQuery } from '../../../../src/protocol/table.ts';

const query: TableQuery = { filters: { side: 'BUY' }, page: 4, size: 50 };

const pageOf = (fields: Partial<ReadPage> = {}): ReadPage =>
  ({ id: 1, query, cells: [], readAt: 0, tradingState: 'flat', rows: {}, ...fields }) as ReadPage;

const after = (...events: Parameters<typeof reduce>[1][]): PanelState =>
  events.reduce(reduce, initialState(null));

const queried = (filters: TableFilters) =>
  ({ kind: 'queried', query: { filters, page: 0, size: 50 } }) as const;

describe('the filters that a command opens a table with', () => {
  const filters = { symbol: 'btc_usdt', statuses: ['EXECUTED'] };
  const commanded = {
    kind: 'commanded',
    filters,
    startAt: { fields: { orderId: '5' } },
    isOfStoredRow: true,
  } as const;

  it('wait for a query that has them, whatever else a page asks before', () => {
    const waiting = after(commanded, queried({ side: 'BUY' }), { kind: 'hidden' });
    assert.deepEqual([waiting.pending, waiting.isOfStoredRow], [filters, true]);
    const answered = reduce(waiting, queried({ ...filters, side: '' }));
    assert.deepEqual([answered.pending, answered.isOfStoredRow], [null, false]);
    assert.deepEqual(answered.startAt, commanded.startAt);
  });

  it('are news to a page only once it has its description', () => {
    assert.equal(after(commanded).isDescribed, false);
    assert.equal(after({ kind: 'described' }).isDescribed, true);
    assert.equal(after({ kind: 'described' }, { kind: 'hidden' }).isDescribed, false);
  });
});

describe('a page that was read', () => {
  const read = { kind: 'read', page: pageOf() } as const;
  const traded = (tradingState: string | undefined) =>
    ({ kind: 'accountRead', tradingState }) as const;

  it('may be outdated once the account has changed since it was requested', () => {
    assert.equal(after(read, traded('flat')).outdatedPageId, null);
    assert.equal(after(read, traded(undefined)).outdatedPageId, null);
    assert.equal(after(read, traded('long')).outdatedPageId, 1);
  });

  it('is compared with the first state that is known of the account', () => {
    const unknown = { kind: 'read', page: pageOf({ tradingState: undefined }) } as const;
    assert.equal(after(unknown, traded('long')).outdatedPageId, null);
    assert.equal(after(unknown, traded('long'), traded('flat')).outdatedPageId, 1);
  });

  it('replaces the failure before it, and a failure keeps the page', () => {
    const failed = { kind: 'failed', failure: { query, error: 'network', at: 0 } } as const;
    assert.equal(after(failed, read).failure, null);
    assert.deepEqual(after(read, failed).page, read.page);
  });

  it('is forgotten with its account; the pages of another profile start at the first', () => {
    const part = { to: 5, isLatest: false };
    const asked = { kind: 'queried', query: { ...query, part } } as const;
    const same = after(asked, read, { kind: 'accountChanged', isOtherProfile: false });
    assert.deepEqual([same.page, same.query], [null, asked.query]);
    const other = after(asked, read, { kind: 'accountChanged', isOtherProfile: true });
    assert.deepEqual(other.query, { ...query, page: 0 });
  });
});
