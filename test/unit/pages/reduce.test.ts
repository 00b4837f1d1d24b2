import assert from 'node:assert/strict';
import { aDisplay } from '../../support/display.ts';
import { reduce } from '../../../src/pages/table/reduce.ts';
import type { Action, OpenState, PageState } from '../../../src/pages/table/state.ts';
import {
  description,
  firstQuery,
  openedState,
  openingState,
  openState,
  pageOf,
  stateWith,
  switched,
  whole,
  words,
} from './builders.ts';

const failure = { kind: 'network', sentence: 'The exchange does not answer.' };
const filtered = { filters: { side: 'BUY' }, page: 2, size: 50 };

function after(state: PageState, ...actions: Action[]): OpenState {
  return openState(
    actions.reduce<ReturnType<typeof reduce>>((step, action) => reduce(step.state, action), {
      state,
      ask: null,
    }),
  );
}

describe('what a table page does when it opens', () => {
  it('asks for the first page of everything when nothing was kept', () => {
    const step = reduce(openingState(), { kind: 'opened', description, kept: undefined });
    assert.equal(step.ask, 'page');
    assert.deepEqual(openState(step).query, { filters: {}, page: 0, size: 20 });
  });

  it('comes back to the query that was kept, with its controls filled', () => {
    const state = openedState(filtered);
    assert.deepEqual(state.query, filtered);
    assert.equal(state.draft.side, 'BUY');
  });

  it('asks for no rows when no account is open', () => {
    const closed = { ...description, context: { profile: null, environment: '', session: 0 } };
    const step = reduce(openingState(), { kind: 'opened', description: closed, kept: null });
    assert.equal(step.ask, null);
    assert.equal(openState(step).body.kind, 'noAccount');
  });

  it('says why it could not open, and asks again on Retry', () => {
    const failed = reduce(openingState(), { kind: 'failed', failure }).state;
    assert.deepEqual(failed, { kind: 'unopened', words, failure });
    assert.deepEqual(reduce(failed, { kind: 'reloaded' }), {
      state: openingState(),
      ask: 'open',
    });
  });
});

describe('what stands where the rows belong', () => {
  const nothing = pageOf(0, { totalElements: '0', totalPages: '0' });

  it('is the rows, told once to a screen reader', () => {
    const state = stateWith(pageOf(20));
    assert.equal(state.body.kind, 'rows');
    assert.equal(state.announcement, '20 rows, page 1 of 3');
  });

  it('tells an empty account from filters that nothing matches', () => {
    assert.equal(stateWith(nothing).body.kind, 'emptyAccount');
    assert.equal(stateWith(nothing, { ...filtered, page: 0 }).body.kind, 'noMatch');
    assert.equal(stateWith(nothing, filtered).body.kind, 'noMatch');
  });

  it('is said in the table’s own words where there is nothing', () => {
    const lots = { ...description, table: 'lots' } as const;
    assert.equal(stateWith(nothing, firstQuery, lots).announcement, 'The venue has no lots');
    assert.equal(stateWith(nothing, firstQuery, switched).body.kind, 'emptyAccount');
  });

  it('is a number of rows without pages where a table comes whole', () => {
    assert.equal(stateWith(pageOf(6), firstQuery, whole).announcement, '6 rows');
  });

  it('is past the end when a later page is empty though there are rows', () => {
    const state = stateWith(pageOf(0), { filters: {}, page: 9, size: 20 });
    assert.equal(state.body.kind, 'pastEnd');
  });

  it('is no empty account when every record was unreadable', () => {
    const state = stateWith(pageOf(0, { badRecords: ['price is missing.'], totalElements: '1' }));
    assert.equal(state.body.kind, 'rows');
  });

  it('is the failure, and Retry asks the same page again', () => {
    const failed = after(
      stateWith(pageOf(20)),
      { kind: 'wentTo', page: 2 },
      { kind: 'failed', failure },
    );
    assert.equal(failed.body.kind, 'failed');
    const retried = reduce(failed, { kind: 'reloaded' });
    assert.equal(retried.ask, 'page');
    assert.equal(openState(retried).query.page, 2);
  });
});

describe('what a person does on a table page', () => {
  it('keeps the rows on the page while the next ones load', () => {
    const step = reduce(stateWith(pageOf(20)), { kind: 'wentTo', page: 1 });
    const { body, query } = openState(step);
    assert.equal(step.ask, 'page');
    assert.equal(query.page, 1);
    assert.ok(body.kind === 'loading');
    assert.equal(body.kept?.query.page, 0);
  });

  it('sends nothing while a filter is only edited', () => {
    const step = reduce(stateWith(pageOf(20)), { kind: 'edited', parameter: 'side', value: 'BUY' });
    assert.equal(step.ask, null);
    assert.deepEqual(openState(step).query.filters, {});
  });

  it('applies trimmed filters from the first page', () => {
    const edited = after(stateWith(pageOf(20), { filters: {}, page: 2, size: 20 }), {
      kind: 'edited',
      parameter: 'symbol',
      value: '  btc_usdt ',
    });
    const step = reduce(edited, { kind: 'applied' });
    assert.equal(step.ask, 'page');
    assert.deepEqual(openState(step).query, {
      filters: { symbol: 'btc_usdt' },
      page: 0,
      size: 20,
    });
    assert.equal(openState(step).draft.symbol, 'btc_usdt');
  });

  it('names the control that keeps the filters from being sent, until it is edited', () => {
    const state = after(
      stateWith(pageOf(20)),
      { kind: 'edited', parameter: 'dateFrom', value: '2026-11-21T00:00' },
      { kind: 'edited', parameter: 'dateTo', value: '2026-11-20T00:00' },
    );
    const refused = reduce(state, { kind: 'applied' });
    assert.equal(refused.ask, null);
    assert.deepEqual(openState(refused).problems, { dateFrom: 'From is later than To.' });
    const edit = { kind: 'edited', parameter: 'dateTo', value: '' } as const;
    assert.deepEqual(after(refused.state, edit).problems, {});
  });

  it('resets every filter and asks from the first page', () => {
    const step = reduce(openedState(filtered), { kind: 'reset' });
    const state = openState(step);
    assert.equal(step.ask, 'page');
    assert.deepEqual(state.query, { filters: {}, page: 0, size: 50 });
    assert.equal(state.draft.side, '');
    assert.equal(state.resets, 1);
  });

  it('goes to the page that was typed, counted from 1', () => {
    const step = reduce(stateWith(pageOf(20)), { kind: 'typedPage', text: ' 3 ' });
    assert.equal(step.ask, 'page');
    assert.equal(openState(step).query.page, 2);
  });

  it('says at the field when what was typed is no page', () => {
    const step = reduce(stateWith(pageOf(20)), { kind: 'typedPage', text: '0' });
    assert.equal(step.ask, null);
    assert.equal(openState(step).problems.page, 'A page is a whole number from 1.');
  });

  it('starts over with another page size', () => {
    const state = openState(reduce(openedState(filtered), { kind: 'resized', size: 20 }));
    assert.deepEqual(state.query, { ...filtered, page: 0, size: 20 });
  });
});

describe('a switch on a table page', () => {
  it('asks at once from the first page, and leaves what is only edited alone', () => {
    const edited = after(
      stateWith(pageOf(20), { filters: { asset: 'usdt' }, page: 2, size: 20 }, switched),
      { kind: 'edited', parameter: 'asset', value: 'btc' },
    );
    const step = reduce(edited, { kind: 'switched', parameter: 'accountType', value: 'SPOT' });
    const { query, draft } = openState(step);
    assert.equal(step.ask, 'page');
    assert.deepEqual(query.filters, { accountType: 'SPOT', asset: 'usdt' });
    assert.equal(query.page, 0);
    assert.equal(draft.asset, 'btc');
    assert.deepEqual(after(step.state, { kind: 'applied' }).query.filters, {
      accountType: 'SPOT',
      asset: 'btc',
    });
  });

  it('stays as it is when the filters are reset', () => {
    const filters = { accountType: 'SPOT', asset: 'usdt' };
    const state = after(openedState({ filters, page: 1, size: 20 }, switched), { kind: 'reset' });
    assert.deepEqual(state.query.filters, { accountType: 'SPOT' });
    assert.equal(state.draft.accountType, 'SPOT');
  });
});

describe('a link on a table page', () => {
  it('leaves the rows and the question under way alone, refused or not', () => {
    const before = openedState();
    const followed = reduce(before, { kind: 'followedLink', link: 'http://host.example' });
    assert.equal(followed.ask, null);
    const refused = reduce(followed.state, { kind: 'refused', sentence: 'No.' });
    assert.equal(refused.ask, null);
    assert.equal(openState(refused).refusal, 'No.');
    assert.equal(openState(refused).body, before.body);
  });

  it('takes its refusal away when another is followed or other rows are asked for', () => {
    const refused = after(stateWith(pageOf(20)), { kind: 'refused', sentence: 'No.' });
    assert.equal(after(refused, { kind: 'followedLink', link: 'x' }).refusal, '');
    assert.equal(after(refused, { kind: 'wentTo', page: 1 }).refusal, '');
  });
});

describe('filters that the host asks for', () => {
  it('take the rows away and have the table described again', () => {
    const step = reduce(stateWith(pageOf(20)), { kind: 'reopened' });
    assert.equal(step.ask, 'open');
    assert.deepEqual(openState(step).body, { kind: 'loading', question: 'open', kept: null });
    const startWith = { symbol: 'eth_usdt' };
    const opened = reduce(step.state, {
      kind: 'opened',
      description: { ...description, startWith },
      kept: { v: 1, table: 'orders', query: filtered },
    });
    assert.equal(opened.ask, 'page');
    assert.deepEqual(openState(opened).query, { filters: startWith, page: 0, size: 50 });
    assert.equal(openState(opened).draft.symbol, 'eth_usdt');
  });

  it('open a page that could not', () => {
    const step = reduce({ kind: 'unopened', words, failure }, { kind: 'reopened' });
    assert.deepEqual(step, { state: openingState(), ask: 'open' });
  });
});

describe('another account under a table page', () => {
  const other = { profile: 'Other', environment: 'LIVE', session: 2 };

  it('takes the rows away at once and asks anew from the first page', () => {
    const step = reduce(stateWith(pageOf(20), filtered), {
      kind: 'contextChanged',
      context: other,
    });
    const state = openState(step);
    assert.equal(step.ask, 'open');
    assert.deepEqual(state.body, { kind: 'loading', question: 'open', kept: null });
    assert.deepEqual(state.description.context, other);
    assert.deepEqual(state.query, { ...filtered, page: 0 });
  });

  it('still owes its description after a failure, and when filters are applied meanwhile', () => {
    const changed = after(stateWith(pageOf(20)), { kind: 'contextChanged', context: other });
    assert.equal(reduce(changed, { kind: 'applied' }).ask, 'open');
    const failed = after(changed, { kind: 'failed', failure });
    assert.equal(reduce(failed, { kind: 'reloaded' }).ask, 'open');
  });

  it('stops what runs when the account is closed', () => {
    const context = { profile: null, environment: '', session: 0 };
    const step = reduce(openedState(), { kind: 'contextChanged', context });
    assert.equal(step.ask, 'nothing');
    assert.equal(openState(step).body.kind, 'noAccount');
  });

  it('opens the same profile anew on the same page when it was opened again: no row outlives its session', () => {
    const context = { profile: 'Practice', environment: 'PRACTICE', session: 2 };
    const before = stateWith(pageOf(20));
    const onPage = { ...before, query: { ...before.query, page: 3 } };
    const step = reduce(onPage, { kind: 'contextChanged', context });
    assert.equal(step.ask, 'open');
    assert.equal(openState(step).query.page, 3);
    assert.notEqual(openState(step).body.kind, 'rows');
  });

  it('only changes the label when the profile is the same', () => {
    const context = { profile: 'Practice', environment: 'TEST', session: 1 };
    const before = stateWith(pageOf(20));
    const step = reduce(before, { kind: 'contextChanged', context });
    assert.equal(step.ask, null);
    assert.equal(openState(step).body, before.body);
    assert.equal(openState(step).description.context.environment, 'TEST');
  });
});

describe('what a table page does when it is shown in another way', () => {
  const { settings } = aDisplay({ hidesMoney: true });
  const shown = stateWith(pageOf(20));
  const masked = pageOf(20, { rows: [['1', '•••']] });
  const change = { kind: 'displayChanged', display: settings, page: masked } as const;

  it('takes the rows that the host shows in their place, and asks nothing', () => {
    const step = reduce(shown, change);
    const { body, display } = openState(step);
    assert.equal(step.ask, null);
    assert.ok(display.hides('amount'));
    assert.deepEqual(body.kind === 'rows' && body.shown.page, masked);
  });

  it('keeps no row that the host does not hold, and asks anew', () => {
    for (const page of [null, { ...masked, number: 7 }]) {
      const step = reduce(shown, { ...change, page });
      assert.equal(step.ask, 'page');
      assert.deepEqual(openState(step).body, { kind: 'loading', question: 'page', kept: null });
    }
  });

  it('keeps no such row while the next ones load either, and lets them come', () => {
    const loading = openState(reduce(shown, { kind: 'wentTo', page: 1 }));
    const step = reduce(loading, { ...change, page: { ...masked, number: 2 } });
    assert.equal(step.ask, null);
    assert.deepEqual(openState(step).body, { kind: 'loading', question: 'page', kept: null });
    const { body } = openState(reduce(loading, change));
    assert.deepEqual(body.kind === 'loading' && body.kept?.page, masked);
  });

  it('keeps no figure that the exchange said in a failure or a refusal', () => {
    const failure = { kind: 'refused', sentence: 'HTTP 400: “Balance 1234.56”. Check it.' };
    const masked = { kind: 'refused', sentence: 'HTTP •••: “Balance •••”. Check it.' };
    const failed = after(shown, { kind: 'refused', sentence: '77 too many.' });
    const step = reduce(after(failed, { kind: 'failed', failure }), change);
    const { body, refusal } = openState(step);
    assert.equal(step.ask, null);
    assert.deepEqual(body, { kind: 'failed', question: 'page', failure: masked });
    assert.equal(refusal, '••• too many.');
    const unopened = reduce(openingState(), { kind: 'failed', failure }).state;
    assert.deepEqual(reduce(unopened, change).state, { kind: 'unopened', words, failure: masked });
  });

  it('shows the same instants in another zone, and leaves what is typed in the same one', () => {
    const query = { ...firstQuery, filters: { dateFrom: '2026-11-20T10:00:00.000Z' } };
    const typed = after(stateWith(pageOf(20), query), {
      kind: 'edited',
      parameter: 'symbol',
      value: 'eth',
    });
    assert.equal(after(typed, change).draft.symbol, 'eth');
    const { settings: there } = aDisplay({ timeZone: 'Asia/Tokyo' });
    const moved = after(typed, { ...change, display: there });
    assert.equal(moved.draft.dateFrom, '2026-11-20T19:00');
    assert.deepEqual(moved.query, query);
  });

  it('asks for the last days at once, with what else is typed', () => {
    const typed = after(shown, { kind: 'edited', parameter: 'side', value: 'BUY' });
    const now = Date.parse('2026-11-20T10:00Z');
    const step = reduce(typed, { kind: 'choseDays', count: 7, now });
    assert.equal(step.ask, 'page');
    assert.deepEqual(openState(step).query.filters, {
      side: 'BUY',
      dateFrom: '2026-11-14T00:00:00.000Z',
      dateTo: '2026-11-20T23:59:59.000Z',
    });
  });
});

describe('newer rows', () => {
  it('are offered for the page that they are newer than, and asked for by nobody but a person', () => {
    const step = reduce(stateWith(pageOf(2)), {
      kind: 'newerOffered',
      page: 7,
    });
    assert.equal(step.ask, null);
    assert.equal(openState(step).newerThan, 7);
  });
});
