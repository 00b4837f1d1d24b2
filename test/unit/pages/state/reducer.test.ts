import assert from 'node:assert/strict';
import type { PeriodPart } from '../../../../src/base/interval.ts';
import {
  type Action,
  type OpenState,
  type PageState,
  type Transition,
} from '../../../../src/pages/table/state/pageState.ts';
import { emptyText } from '../../../../src/pages/table/state/receivedRows.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';
import { aDisplay } from '../../../support/display.ts';
import {
  description,
  whyEmpty,
  firstQuery,
  formValueOf,
  loadingState,
  openingState,
  openState,
  pageOf,
  stateWithRows,
  tableWithoutPages,
  tableWithSwitch,
  texts,
} from '../builders.ts';

const failure = { kind: 'network', sentence: 'The exchange does not answer.' };
const filtered = { filters: { side: 'BUY' }, page: 2, size: 50 };
const noAccount = { profile: null, environment: '', session: 0 };
const edited = (parameter: string, value: string): Action => ({
  kind: 'filterEdited',
  parameter,
  value,
});

function after(state: PageState, ...actions: Action[]): OpenState {
  const start: Transition = { state, request: null };
  return openState(actions.reduce((step, action) => reduce(step.state, action), start));
}

describe('opening a table page', () => {
  it('requests the first page without filters if the panel had no query', () => {
    const action = { kind: 'descriptionReceived', description } as const;
    const step = reduce(openingState(), action);
    assert.equal(step.request, 'page');
    assert.deepEqual(openState(step).query, { filters: {}, page: 0, size: 20 });
  });

  it('restores the last query and fills in the filters', () => {
    const state = loadingState(filtered);
    assert.deepEqual(state.query, filtered);
    assert.equal(formValueOf(state, 'side'), 'BUY');
  });

  it('requests no rows without an account', () => {
    const closed = { ...description, context: noAccount };
    const action = { kind: 'descriptionReceived', description: closed } as const;
    const step = reduce(openingState(), action);
    assert.equal(step.request, null);
    assert.equal(openState(step).body.kind, 'noAccount');
  });

  it('shows why it failed and requests the description again on Retry or for new filters', () => {
    const failed = reduce(openingState(), { kind: 'requestFailed', failure }).state;
    assert.deepEqual(failed, { kind: 'unopened', texts, failure });
    for (const kind of ['refreshed', 'reopenRequested'] as const)
      assert.deepEqual(reduce(failed, { kind }), { state: openingState(), request: 'open' });
  });
});

describe('a table page that shows one part of a long period', () => {
  const at = (day: number) => Date.UTC(2026, 10, day);
  const latest = { from: at(14), to: at(21), older: at(14), newer: null };
  const middle = { from: at(7), to: at(14), older: at(7), newer: at(21) };
  const shownAt = (part: typeof latest | typeof middle, rows = 20) =>
    after(loadingState(), { kind: 'rowsReceived', page: pageOf(rows, { part }) });

  it('announces the period of the part', () => {
    const period = 'Showing 2026-11-14 00:00:00 UTC to 2026-11-21 00:00:00 UTC.';
    assert.ok(shownAt(latest).announcement.startsWith(`20 rows, page 1 of 3. ${period}`));
  });

  it('stays at the part on its next pages, and with another page size', () => {
    const next = reduce(shownAt(latest), { kind: 'pageChosen', page: 1 });
    assert.equal(next.request, 'page');
    assert.deepEqual(openState(next).query, {
      ...firstQuery,
      page: 1,
      part: { to: at(21), isLatest: true },
    });
    const resized = after(shownAt(middle), { kind: 'pageSizeChosen', size: 50 });
    assert.deepEqual(resized.query.part, { to: at(14), isLatest: false });
  });

  it('opens another part at its first page', () => {
    const second = after(shownAt(latest), { kind: 'pageChosen', page: 1 });
    const older = reduce(second, { kind: 'partChosen', to: at(14) });
    assert.equal(older.request, 'page');
    assert.deepEqual(openState(older).query, {
      ...firstQuery,
      part: { to: at(14), isLatest: false },
    });
  });

  it('extends the latest part up to now on Refresh, and keeps an older one', () => {
    const refreshed = (part: typeof latest | typeof middle) =>
      after(shownAt(part), { kind: 'refreshed' }).query.part;
    assert.equal(refreshed(latest), undefined);
    assert.deepEqual(refreshed(middle), { to: at(14), isLatest: false });
  });

  it('returns to the latest part with other filters, and without a bound', () => {
    const chosen: Action = { kind: 'filterChosen', parameter: 'side', value: 'BUY' };
    assert.equal(after(shownAt(middle), chosen).query.part, undefined);
    const removed: Action = { kind: 'filterChosen', parameter: 'side', value: '' };
    assert.equal(after(shownAt(middle), chosen, removed).query.part, undefined);
    const whole: Action = { kind: 'rowsReceived', page: pageOf(20) };
    assert.equal(after(shownAt(middle), whole).query.part, undefined);
  });

  it('says that the part has no rows, even if other parts have some', () => {
    const state = shownAt(middle, 0);
    assert.equal(whyEmpty(state), texts.emptyPart);
    assert.match(state.announcement, /^No rows in this part of the period\. Showing 2026-11-07/);
  });

  it('leads from a part without rows to the older one, from the oldest to the newer one', () => {
    const buttonAt = (part: PeriodPart) => {
      const page = pageOf(0, { part });
      const state = after(loadingState(), { kind: 'rowsReceived', page });
      return state.shown && emptyText(state, state.shown).button;
    };
    const to = (label: string, end: number) => ({ label, action: { kind: 'partChosen', to: end } });
    assert.deepEqual(buttonAt(middle), to('Older', at(7)));
    assert.deepEqual(buttonAt({ ...middle, older: null }), to('Newer', at(21)));
    assert.equal(buttonAt({ ...middle, older: null, newer: null }), undefined);
  });
});

describe('the body of a table page', () => {
  const nothing = pageOf(0, { totalElements: '0', totalPages: '0' });

  it('shows the rows and announces their number', () => {
    const state = stateWithRows(pageOf(20));
    assert.equal(state.body.kind, 'rows');
    assert.equal(state.announcement, '20 rows, page 1 of 3');
    const withoutPages = stateWithRows(pageOf(6), firstQuery, tableWithoutPages);
    assert.equal(withoutPages.announcement, '6 rows');
  });

  it('distinguishes an account without rows from filters without a match', () => {
    const bodyOf = (...args: Parameters<typeof stateWithRows>) => whyEmpty(stateWithRows(...args));
    assert.equal(bodyOf(nothing), texts.nothingYet);
    const other = stateWithRows(nothing, firstQuery, tableWithSwitch);
    assert.equal(whyEmpty(other), other.texts.nothingYet);
    assert.equal(bodyOf(nothing, { ...filtered, page: 0 }), texts.noMatch);
    assert.equal(bodyOf(nothing, filtered), texts.noMatch);
  });

  it('announces an empty table in its own words', () => {
    const lots = { ...description, table: 'lots' } as const;
    const state = stateWithRows(nothing, firstQuery, lots);
    assert.equal(state.announcement, state.texts.nothingYet);
    assert.notEqual(state.announcement, texts.nothingYet);
  });

  it('is past the end if a later page is empty although there are rows', () => {
    const later = stateWithRows(pageOf(0), { ...firstQuery, page: 9 });
    assert.equal(whyEmpty(later), texts.pastEnd(10));
  });

  it('does not call an account empty if its records are unreadable', () => {
    const page = pageOf(0, { omittedRows: 1, totalElements: '1' });
    assert.equal(stateWithRows(page).body.kind, 'rows');
  });

  it('keeps the rows on the page after a failure, and Retry requests the same page', () => {
    const before = stateWithRows(pageOf(20));
    const failed = after(
      before,
      { kind: 'pageChosen', page: 2 },
      { kind: 'requestFailed', failure },
    );
    assert.deepEqual(failed.body, { kind: 'failed', request: 'page', failure });
    assert.equal(failed.shown, before.shown);
    const retried = reduce(failed, { kind: 'refreshed' });
    assert.equal(retried.request, 'page');
    assert.equal(openState(retried).query.page, 2);
    const failedAgain = after(retried.state, { kind: 'requestFailed', failure });
    assert.equal(failedAgain.shown, before.shown);
  });

  it('shows no rows of another account after a failure', () => {
    const context = { profile: 'Other', environment: 'LIVE', session: 2 };
    const failed = after(
      stateWithRows(pageOf(20)),
      { kind: 'refreshed' },
      { kind: 'requestFailed', failure },
      { kind: 'contextChanged', context },
      { kind: 'requestFailed', failure },
    );
    assert.deepEqual([failed.body.kind, failed.shown], ['failed', null]);
  });
});

describe('paging', () => {
  it('keeps the rows on the page while the next ones load', () => {
    const step = reduce(stateWithRows(pageOf(20)), { kind: 'pageChosen', page: 1 });
    const { body, query, shown } = openState(step);
    assert.equal(step.request, 'page');
    assert.equal(query.page, 1);
    assert.deepEqual([body.kind, shown?.query.page], ['loading', 0]);
  });

  it('goes to a typed page, counted from 1', () => {
    const step = reduce(stateWithRows(pageOf(20)), { kind: 'pageTyped', text: ' 3 ' });
    assert.equal(step.request, 'page');
    assert.equal(openState(step).query.page, 2);
  });

  it('shows an error at the field if the typed text is not a page', () => {
    const step = reduce(stateWithRows(pageOf(20)), { kind: 'pageTyped', text: '0' });
    assert.equal(step.request, null);
    assert.equal(openState(step).fieldErrors.page, texts.invalidPage);
  });

  it('starts at the first page after a change of the page size', () => {
    const state = after(loadingState(filtered), { kind: 'pageSizeChosen', size: 20 });
    assert.deepEqual(state.query, { ...filtered, page: 0, size: 20 });
  });
});

describe('the filters of a table page', () => {
  const applied = (...parameters: string[]): Action => ({ kind: 'filtersApplied', parameters });

  it('have no effect until they are applied; then they are trimmed and the first page is requested', () => {
    const before = stateWithRows(pageOf(20), { ...firstQuery, page: 2 });
    const typed = reduce(before, edited('symbol', '  btc_usdt '));
    assert.equal(typed.request, null);
    assert.deepEqual(openState(typed).query, before.query);
    const step = reduce(typed.state, applied('symbol'));
    assert.equal(step.request, 'page');
    const expected = { filters: { symbol: 'btc_usdt' }, page: 0, size: 20 };
    assert.deepEqual(openState(step).query, expected);
    assert.equal(formValueOf(openState(step), 'symbol'), 'btc_usdt');
  });

  it('take effect one by one: edits of others stay unapplied', () => {
    const typed = after(stateWithRows(pageOf(20)), edited('symbol', 'eth'));
    const step = reduce(typed, { kind: 'filterChosen', parameter: 'side', value: 'BUY' });
    assert.equal(step.request, 'page');
    assert.deepEqual(openState(step).query.filters, { side: 'BUY' });
    assert.equal(openState(step).formValues.symbol, 'eth');
  });

  it('request nothing if they stay the same, unless that request failed', () => {
    const before = stateWithRows(pageOf(20), { ...firstQuery, page: 2 });
    const step = reduce(before, applied('statuses'));
    assert.deepEqual([step.request, openState(step).query.page], [null, 2]);
    const failed = after(before, { kind: 'refreshed' }, { kind: 'requestFailed', failure });
    assert.equal(reduce(failed, applied('statuses')).request, 'page');
  });

  it('show an error at an invalid field until an edit', () => {
    const reversed = after(
      stateWithRows(pageOf(20)),
      edited('dateFrom', '2026-11-21T00:00'),
      edited('dateTo', '2026-11-20T00:00'),
    );
    const step = reduce(reversed, applied('dateFrom', 'dateTo'));
    assert.equal(step.request, null);
    assert.deepEqual(openState(step).fieldErrors, { dateFrom: texts.fromAfterTo('From', 'To') });
    assert.deepEqual(after(step.state, edited('dateTo', '')).fieldErrors, {});
  });

  it('are cleared together, which requests the first page', () => {
    const step = reduce(loadingState(filtered), { kind: 'filtersReset' });
    assert.equal(step.request, 'page');
    assert.deepEqual(openState(step).query, { filters: {}, page: 0, size: 50 });
    assert.equal(formValueOf(openState(step), 'side'), '');
  });

  it('are removed one by one', () => {
    const filters = { side: 'BUY', statuses: ['EXECUTED'], dateFrom: '2026-11-14T00:00:00.000Z' };
    const before = stateWithRows(pageOf(20), { ...firstQuery, filters });
    const step = reduce(before, { kind: 'periodChosen', days: null, now: 0 });
    assert.equal(step.request, 'page');
    assert.deepEqual(openState(step).query.filters, { side: 'BUY', statuses: ['EXECUTED'] });
    assert.equal(formValueOf(openState(step), 'dateFrom'), '');
    const remove = (parameter: string) => ({ kind: 'filterChosen', parameter, value: '' }) as const;
    const none = after(before, remove('statuses'), remove('side'));
    assert.deepEqual(none.query.filters, { dateFrom: filters.dateFrom });
    assert.deepEqual([formValueOf(none, 'statuses'), formValueOf(none, 'side')], [[], '']);
  });

  it('can be set to the last days or all days at once', () => {
    const now = Date.parse('2026-11-20T10:00Z');
    const step = reduce(stateWithRows(pageOf(20)), { kind: 'periodChosen', days: 7, now });
    assert.equal(step.request, 'page');
    assert.deepEqual(openState(step).query.filters, {
      dateFrom: '2026-11-14T00:00:00.000Z',
      dateTo: '2026-11-20T23:59:59.000Z',
    });
    const all = after(step.state, { kind: 'periodChosen', days: null, now });
    assert.deepEqual(all.query.filters, {});
  });

  it('can be set by the host, which describes the table again', () => {
    const step = reduce(stateWithRows(pageOf(20)), { kind: 'reopenRequested' });
    assert.equal(step.request, 'open');
    assert.deepEqual(openState(step).body, { kind: 'loading', request: 'open' });
    assert.equal(openState(step).shown, null);
    const initialFilters = { symbol: 'eth_usdt' };
    const opened = reduce(step.state, {
      kind: 'descriptionReceived',
      description: { ...description, query: filtered, initialFilters },
    });
    assert.equal(opened.request, 'page');
    assert.deepEqual(openState(opened).query, { filters: initialFilters, page: 0, size: 50 });
    assert.equal(formValueOf(openState(opened), 'symbol'), 'eth_usdt');
  });
});

describe('a switch on a table page', () => {
  it('keeps its option when the filters are reset', () => {
    const filters = { accountType: 'SPOT', asset: 'usdt' };
    const before = loadingState({ filters, page: 1, size: 20 }, tableWithSwitch);
    const reset = after(before, { kind: 'filtersReset' });
    assert.deepEqual(reset.query.filters, { accountType: 'SPOT' });
    assert.equal(formValueOf(reset, 'accountType'), 'SPOT');
  });
});

describe('an action beside the rows', () => {
  it('loses its error with the next action or request', () => {
    const failed = after(stateWithRows(pageOf(20)), { kind: 'actionFailed', sentence: 'No.' });
    assert.equal(
      after(failed, { kind: 'grid', action: { kind: 'linkFollowed', link: 'x' } }).actionError,
      '',
    );
    assert.equal(after(failed, { kind: 'pageChosen', page: 1 }).actionError, '');
  });
});

describe('a table page when another account opens', () => {
  const other = { profile: 'Other', environment: 'LIVE', session: 2 };

  it('removes the rows immediately and requests the description, then the first page', () => {
    const before = stateWithRows(pageOf(20), filtered);
    const step = reduce(before, { kind: 'contextChanged', context: other });
    const { body, shown, query, description } = openState(step);
    assert.equal(step.request, 'open');
    assert.deepEqual([body, shown], [{ kind: 'loading', request: 'open' }, null]);
    assert.deepEqual(description.context, other);
    assert.deepEqual(query, { ...filtered, page: 0 });
  });

  it('requests the missing description also after a failure and when filters are applied', () => {
    const changed = after(stateWithRows(pageOf(20)), { kind: 'contextChanged', context: other });
    const chosen: Action = { kind: 'filterChosen', parameter: 'side', value: 'BUY' };
    assert.equal(reduce(changed, chosen).request, 'open');
    const failed = after(changed, { kind: 'requestFailed', failure });
    assert.equal(reduce(failed, { kind: 'refreshed' }).request, 'open');
  });

  it('aborts the running request when the account closes', () => {
    const step = reduce(loadingState(), { kind: 'contextChanged', context: noAccount });
    assert.equal(step.request, 'abort');
    assert.equal(openState(step).body.kind, 'noAccount');
  });

  it('stays on the page, without its old rows, in a new session of the same account', () => {
    const before = stateWithRows(pageOf(20), { ...firstQuery, page: 3 });
    const context = { profile: 'Practice', environment: 'PRACTICE', session: 2 };
    const step = reduce(before, { kind: 'contextChanged', context });
    assert.equal(step.request, 'open');
    assert.equal(openState(step).query.page, 3);
    assert.notEqual(openState(step).body.kind, 'rows');
  });

  it('changes only the label in the same session', () => {
    const before = stateWithRows(pageOf(20));
    const context = { profile: 'Practice', environment: 'TEST', session: 1 };
    const step = reduce(before, { kind: 'contextChanged', context });
    assert.equal(step.request, null);
    assert.equal(openState(step).body, before.body);
    assert.equal(openState(step).description.context.environment, 'TEST');
  });
});

describe('a table page when the display settings change', () => {
  const { settings } = aDisplay({ hidesMoney: true });
  const before = stateWithRows(pageOf(20));
  const masked = pageOf(20, { rows: [['1', '•••']] });
  const change = { kind: 'displayChanged', display: settings, page: masked } as const;
  const emptied = [{ kind: 'loading', request: 'page' }, null];

  it('shows the rows that the host sends in place of the old ones, without a request', () => {
    const step = reduce(before, change);
    const { body, shown, display } = openState(step);
    assert.equal(step.request, null);
    assert.ok(display.hides('amount'));
    assert.deepEqual([body.kind, shown?.page], ['rows', masked]);
  });

  it('removes rows that the host does not send, and requests them', () => {
    for (const page of [null, { ...masked, id: 7 }]) {
      const step = reduce(before, { ...change, page });
      assert.equal(step.request, 'page');
      assert.deepEqual([openState(step).body, openState(step).shown], emptied);
    }
  });

  it('does the same to previous rows while others load, without aborting these', () => {
    const loading = after(before, { kind: 'pageChosen', page: 1 });
    const step = reduce(loading, { ...change, page: { ...masked, id: 2 } });
    assert.equal(step.request, null);
    assert.deepEqual([openState(step).body, openState(step).shown], emptied);
    assert.deepEqual(after(loading, change).shown?.page, masked);
  });

  it('masks figures in error messages', () => {
    const failure = { kind: 'refused', sentence: 'HTTP 400: “Balance 1234.56”. Check it.' };
    const masked = { kind: 'refused', sentence: 'HTTP •••: “Balance •••”. Check it.' };
    const failed = { kind: 'requestFailed', failure } as const;
    const actionFailed = { kind: 'actionFailed', sentence: '77 too many.' } as const;
    const step = reduce(after(before, actionFailed, failed), change);
    const { body, shown, actionError } = openState(step);
    assert.equal(step.request, null);
    assert.deepEqual(body, { kind: 'failed', request: 'page', failure: masked });
    assert.equal(shown?.page, change.page);
    const withoutRows = after(before, failed, { ...change, page: null });
    assert.equal(withoutRows.shown, null);
    assert.equal(actionError, '••• too many.');
    const unopened = reduce(openingState(), failed).state;
    assert.deepEqual(reduce(unopened, change).state, { kind: 'unopened', texts, failure: masked });
  });

  it('keeps edits in the same time zone, and the same instants in another', () => {
    const query = { ...firstQuery, filters: { dateFrom: '2026-11-20T10:00:00.000Z' } };
    const typed = after(stateWithRows(pageOf(20), query), edited('symbol', 'eth'));
    assert.equal(after(typed, change).formValues.symbol, 'eth');
    const { settings: tokyo } = aDisplay({ timeZone: 'Asia/Tokyo' });
    const moved = after(typed, { ...change, display: tokyo });
    assert.equal(formValueOf(moved, 'dateFrom'), '2026-11-20T19:00');
    assert.deepEqual(moved.query, query);
  });
});

describe('newer rows', () => {
  it('are announced for the page on the screen, but only the user requests them', () => {
    const action = { kind: 'newerRowsAvailable', pageId: 7 } as const;
    const step = reduce(stateWithRows(pageOf(2)), action);
    assert.equal(step.request, null);
    assert.equal(openState(step).outdatedPageId, 7);
  });
});
