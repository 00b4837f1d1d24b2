import assert from 'node:assert/strict';
import type { GridAction } from '../../../../src/pages/grid/model.ts';
import { setImmediate } from 'node:timers/promises';
import { failureOf, type PageState } from '../../../../src/pages/table/state/pageState.ts';
import { gridOf } from '../../../../src/pages/table/state/shownRows.ts';
import { TableController } from '../../../../src/pages/table/state/tableController.ts';
import { DeadlineExceeded } from '../../../../src/base/abort.ts';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import { RpcError, type RpcFailure } from '../../../../src/protocol/messages.ts';
import type { GridCommand } from '../../../../src/protocol/gridMessages.ts';
import type { PageView, TableQuery } from '../../../../src/protocol/table.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { description, pageOf, texts } from '../builders.ts';

type Request = {
  readonly name: string;
  readonly params: unknown;
  readonly signal: AbortSignal | undefined;
  reply(result: unknown): Promise<void>;
  fail(failure: RpcFailure | Error): Promise<void>;
};

/** A controller whose host replies when the test says so. */
function startController() {
  const clock = new FakeClock();
  const requests: Request[] = [];
  const drawn: PageState[] = [];
  const request = (name: string, params: unknown, signal?: AbortSignal): Promise<never> =>
    new Promise((resolve, reject) => {
      const reply = (result: unknown): Promise<void> => {
        resolve(result as never);
        return setImmediate();
      };
      const fail = (failure: RpcFailure | Error): Promise<void> => {
        reject(failure instanceof Error ? failure : new RpcError(failure));
        return setImmediate();
      };
      requests.push({ name, params, signal, reply, fail });
    });
  const controller = new TableController({
    client: { request },
    texts,
    clock,
    draw: (state) => drawn.push(state),
  });
  controller.start(request('table/open', null));
  const { dispatch, keep, command } = controller;
  const last = (): Request => requests.at(-1) ?? assert.fail('There was no request.');
  const body = (): string => {
    const state = drawn.at(-1);
    return state?.kind === 'open' ? state.body.kind : (state?.kind ?? 'nothing');
  };
  return { dispatch, keep, command, clock, requests, drawn, last, body };
}

describe('the controller of a table page', () => {
  it('requests the description, then the rows, then has the host read the next page', async () => {
    const { requests, last, body } = startController();
    await last().reply(description);
    await last().reply(pageOf(20));
    assert.deepEqual(
      requests.map(({ name, params }) => [name, params]),
      [
        ['table/open', null],
        ['table/page', { filters: {}, page: 0, size: 20 }],
        ['table/prefetch', { filters: {}, page: 1, size: 20 }],
      ],
    );
    assert.equal(body(), 'rows');
  });

  it('shows that it opens only if that takes long', async () => {
    const quick = startController();
    await quick.last().reply(description);
    await quick.clock.advance(200);
    assert.deepEqual(
      quick.drawn.map(({ kind }) => kind),
      ['open'],
    );
    const slow = startController();
    await slow.clock.advance(200);
    assert.equal(slow.body(), 'unopened');
  });

  it('has the ledger synchronised before it is read again, and reads it also if that fails', async () => {
    const { dispatch, last, requests, drawn } = startController();
    await last().reply({ ...description, source: 'ledger' });
    await last().reply(pageOf(1, { totalPages: '1', totalElements: '1' }));
    const names = () => requests.map(({ name }) => name);
    assert.deepEqual(names(), ['table/open', 'table/page']);
    dispatch({ kind: 'refreshed' });
    assert.equal(last().name, 'table/synchronise');
    await last().fail({ kind: 'network', sentence: 'No connection.' });
    assert.deepEqual(names().slice(2), ['table/synchronise', 'table/page']);
    await last().reply(pageOf(2, { totalPages: '1', totalElements: '2' }));
    const state = drawn.at(-1);
    assert.ok(state?.kind === 'open');
    assert.deepEqual([state.body.kind, state.actionError], ['rows', 'No connection.']);
  });

  it('has the host remember a chosen source', async () => {
    const { dispatch, last, requests } = startController();
    await last().reply({ ...description, source: 'exchange' });
    dispatch({ kind: 'sourceChosen', source: 'ledger' });
    const chosen = requests.filter(({ name }) => name === 'table/source');
    assert.deepEqual(
      chosen.map(({ params }) => params),
      ['ledger'],
    );
  });

  it('aborts the older request and never shows its reply', async () => {
    const { dispatch, last, requests, body } = startController();
    await last().reply(description);
    const older = last();
    dispatch({ kind: 'pageChosen', page: 1 });
    assert.equal(older.signal?.aborted, true);
    await older.reply(pageOf(1));
    assert.equal(body(), 'loading');
    assert.equal(requests.length, 3);
    await last().reply(pageOf(20));
    assert.equal(body(), 'rows');
  });

  it('says that the host did not answer in time', async () => {
    const { drawn, last } = startController();
    await last().reply(description);
    await last().fail(new DeadlineExceeded());
    const failure = failureOf(drawn.at(-1) ?? assert.fail('nothing is drawn'));
    assert.deepEqual(failure, { kind: 'timeout', sentence: texts.noAnswer });
  });

  it('counts down and retries at the time that a failure names', async () => {
    const { clock, last, requests, body, drawn } = startController();
    await last().reply(description);
    const retryAt = clock.now() + 2500;
    await last().fail({ kind: 'rateLimited', sentence: 'Too many.', retryAt });
    const before = drawn.length;
    for (const seconds of [1, 2]) {
      await clock.advance(1000);
      assert.equal(drawn.length, before + seconds);
    }
    await clock.advance(499);
    assert.deepEqual([body(), requests.length], ['failed', 2]);
    await clock.advance(1);
    assert.deepEqual([body(), requests.length], ['loading', 3]);
  });

  it('retries after the same time when somebody sets the clock back', async () => {
    const { clock, last, requests, body } = startController();
    await last().reply(description);
    for (const count of [3, 4]) {
      const retryAt = clock.now() + 2500;
      await last().fail({ kind: 'rateLimited', sentence: 'Too many.', retryAt });
      clock.setAhead(-hourMs);
      await clock.advance(2499);
      assert.deepEqual([body(), requests.length], ['failed', count - 1]);
      await clock.advance(1);
      assert.deepEqual([body(), requests.length], ['loading', count]);
    }
  });

  it('retries even if something else is drawn when the time has come', async () => {
    const { clock, dispatch, last, requests, body } = startController();
    await last().reply(description);
    await last().fail({ kind: 'rateLimited', sentence: 'Too many.', retryAt: clock.now() + 500 });
    clock.sleep(500);
    dispatch({ kind: 'filterEdited', parameter: 'symbol', value: 'eth' });
    await clock.advance(0);
    assert.deepEqual([body(), requests.length], ['loading', 3]);
  });

  it('retries at once if the time came while the panel was hidden', async () => {
    const { clock, last, requests, body } = startController();
    const query = { filters: {}, page: 0, size: 20 };
    const failure = { kind: 'rateLimited' as const, sentence: 'Too many.', retryAt: clock.now() };
    const shown = { query, page: pageOf(20) };
    await last().reply({ ...description, kept: { shown, failed: { query, failure }, view: null } });
    assert.equal(body(), 'failed');
    await clock.advance(0);
    assert.deepEqual([body(), requests.length], ['loading', 2]);
  });

  it('draws again when a day begins, because a period or a time of today is not of today any more', async () => {
    const { clock, last, drawn } = startController();
    await last().reply(description);
    await last().reply(pageOf(20));
    const before = drawn.length;
    await clock.advance(dayMs);
    assert.equal(drawn.length, before + 1);
  });

  it('has the host keep typed text and the grid’s position, many changes at once', async () => {
    const { clock, dispatch, requests, last } = startController();
    await last().reply(description);
    await last().reply(pageOf(20));
    const scroll = { pageId: 1, top: 10, left: 0 };
    const to = { row: 3, column: 1 };
    dispatch({ kind: 'filterEdited', parameter: 'symbol', value: 'e' });
    dispatch({ kind: 'filterEdited', parameter: 'symbol', value: 'eth' });
    dispatch({ kind: 'grid', action: { kind: 'moved', to, mode: 'move' } });
    dispatch({ kind: 'grid', action: { kind: 'scrolled', scroll } });
    assert.equal(requests.length, 3);
    await clock.advance(100);
    const { name, params } = last();
    assert.equal(name, 'table/keep');
    const kept = params as PageView;
    assert.deepEqual([kept.zone, kept.formValues.symbol], ['UTC', 'eth']);
    assert.deepEqual([kept.grid.active, kept.grid.scroll], [to, scroll]);
    assert.equal(requests.length, 4);
    await clock.advance(1000);
    assert.equal(requests.length, 4);
  });

  it('does not wait when the page may be discarded', async () => {
    const { dispatch, keep, requests, last } = startController();
    await last().reply(description);
    dispatch({ kind: 'filterEdited', parameter: 'symbol', value: 'eth' });
    for (let count = 0; count < 2; count += 1) keep();
    assert.deepEqual(
      requests.slice(2).map(({ name }) => name),
      ['table/keep'],
    );
  });

  it('does not retry without a time or after it has passed', async () => {
    const { clock, dispatch, last, requests } = startController();
    await last().reply(description);
    await last().fail({ kind: 'rateLimited', sentence: 'Too many.', retryAt: clock.now() });
    dispatch({ kind: 'refreshed' });
    await last().fail({ kind: 'network', sentence: 'No answer.' });
    await clock.advance(60_000);
    assert.equal(requests.length, 3);
  });

  it('opens links, helps with the sign-in and exports beside the running request, and shows their errors', async () => {
    const { dispatch, requests, last, body, drawn } = startController();
    await last().reply(description);
    const rows = last();
    dispatch({ kind: 'grid', action: { kind: 'linkFollowed', link: 'http://host.example' } });
    dispatch({ kind: 'accountActionChosen', action: 'testConnection' });
    dispatch({ kind: 'exportRequested' });
    assert.deepEqual(
      requests.slice(2).map(({ name, params }) => [name, params]),
      [
        ['table/openLink', 'http://host.example'],
        ['table/runAction', 'testConnection'],
        ['table/export', {}],
      ],
    );
    await last().fail({ kind: 'configuration', sentence: 'No.' });
    assert.equal(rows.signal?.aborted, false);
    await rows.reply(pageOf(20));
    assert.equal(body(), 'rows');
    const state = drawn.at(-1);
    assert.equal(state?.kind === 'open' && state.actionError, 'No.');
  });

  it('names the time to try again when nothing counts down', async () => {
    const { clock, dispatch, last, drawn } = startController();
    await last().reply(description);
    await last().reply(pageOf(20));
    dispatch({ kind: 'exportRequested' });
    const retryAt = clock.now() + 2500;
    await last().fail({ kind: 'rateLimited', sentence: 'Too many.', retryAt });
    const state = drawn.at(-1);
    assert.equal(state?.kind === 'open' && state.actionError, 'Too many. Try again in 3 s.');
  });

  it('requests copies, details and layouts beside the rows, and each once', async () => {
    const { dispatch, requests, last, drawn } = startController();
    await last().reply(description);
    await last().reply(pageOf(3, { totalPages: '1', totalElements: '3' }));
    const seen = () => requests.slice(2).map(({ name }) => name);
    const act = (action: GridAction) => dispatch({ kind: 'grid', action });
    act({ kind: 'copyRequested', format: 'json', isRows: true });
    assert.deepEqual(last().params, {
      format: 'json',
      selection: { pageId: 1, columns: [0, 1], rows: [{ row: 0, columns: [0, 1] }], isRows: true },
    });
    act({ kind: 'columnToggled', field: 'price' });
    act({ kind: 'detailsOpened' });
    assert.deepEqual(last().params, { pageId: 1, row: 0 });
    const first = last();
    act({ kind: 'moved', to: { row: 1, column: 0 }, mode: 'move' });
    act({ kind: 'moved', to: { row: 1, column: 0 }, mode: 'extend' });
    assert.deepEqual(seen(), ['grid/copy', 'grid/layout', 'table/details', 'table/details']);
    await last().reply({ fields: [], extra: [] });
    await first.fail({ kind: 'configuration', sentence: 'The rows have changed.' });
    const state = drawn.at(-1);
    const details = state?.kind === 'open' ? state.details : null;
    assert.deepEqual([details?.row.row, details?.answer.kind], [1, 'loaded']);
  });

  it('does what the menu of VS Code asks for, with the active row and column', async () => {
    const { command, requests, last } = startController();
    await last().reply(description);
    await last().reply(pageOf(3, { totalPages: '1', totalElements: '3' }));
    const asked = (sent: GridCommand) => {
      const before = requests.length;
      command(sent);
      return requests.slice(before).map(({ name, params }) => [name, params]);
    };
    const row = { pageId: 1, row: 0 };
    assert.deepEqual(asked({ kind: 'openTrades' }), [['table/openTrades', row]]);
    assert.deepEqual(asked({ kind: 'openPosition' }), [['table/openPosition', row]]);
    assert.deepEqual(asked({ kind: 'filter' }), [], 'no filter takes a time');
    assert.deepEqual(asked({ kind: 'sortColumn' }), []);
    assert.deepEqual(asked({ kind: 'showDetails' }), [['table/details', row]]);
    const hidden = { order: [], hidden: ['time'], widths: {} };
    assert.deepEqual(asked({ kind: 'hideColumn' }), [['grid/layout', hidden]]);
    const [[name] = []] = asked({ kind: 'copy', format: 'markdown', isRows: false });
    assert.equal(name, 'grid/copy');
  });

  it('requests the details of the row that has the place of another one on the next page', async () => {
    const { dispatch, requests, last } = startController();
    await last().reply(description);
    await last().reply(pageOf(20));
    dispatch({ kind: 'grid', action: { kind: 'detailsOpened' } });
    await last().reply({ fields: [], extra: [] });
    dispatch({ kind: 'pageChosen', page: 1 });
    await last().reply(pageOf(20, { id: 2 }));
    const details = requests.filter(({ name }) => name === 'table/details');
    assert.deepEqual(
      details.map(({ params }) => params),
      [
        { pageId: 1, row: 0 },
        { pageId: 2, row: 0 },
      ],
    );
  });
});

describe('rows of the ledger', () => {
  const ledger = { search: '', sort: null };
  const described = { ...description, source: 'ledger' } as const;
  const totals = { totalElements: '1000', totalPages: '1' };

  /** A page that shows a thousand rows of the ledger. */
  async function shownLedger() {
    const page = startController();
    const { last, drawn } = page;
    await last().reply(described);
    await last().reply(pageOf(200, totals));
    await last().reply(pageOf(1000, totals));
    const shown = () => {
      const state = drawn.at(-1);
      assert.equal(state?.kind, 'open');
      const { rows } = state.shown?.page ?? assert.fail('There are no rows.');
      return [state.body.kind, rows.length, gridOf(state).sortedBy, state.announcement];
    };
    const pagesAsked = () =>
      page.requests.flatMap(({ name, params }) =>
        name === 'table/page' ? [(params as TableQuery).ledger] : [],
      );
    return { ...page, shown, pagesAsked };
  }

  it('come first rows first, and are announced once they are all there', async () => {
    const page = startController();
    await page.last().reply(described);
    const [, start] = page.requests;
    assert.deepEqual(start?.params, {
      filters: {},
      page: 0,
      size: 20_000,
      ledger: { ...ledger, isStart: true },
    });
    await start.reply(pageOf(200, totals));
    const state = page.drawn.at(-1);
    assert.equal(state?.kind === 'open' && state.announcement, '');
    assert.equal(page.body(), 'loading');
    assert.deepEqual((page.last().params as TableQuery).ledger, ledger);
    await page.last().reply(pageOf(1000, totals));
    const after = page.drawn.at(-1);
    assert.match((after?.kind === 'open' && after.announcement) || '', /^1,000 rows/);
  });

  it('are asked for once if there are few', async () => {
    const page = startController();
    await page.last().reply(described);
    await page.last().reply(pageOf(199, { totalElements: '199', totalPages: '1' }));
    assert.deepEqual([page.body(), page.requests.length], ['rows', 2]);
  });

  it('are asked for as a whole if they are read again', async () => {
    const { dispatch, last, pagesAsked } = await shownLedger();
    dispatch({ kind: 'refreshed' });
    await last().reply(null);
    assert.deepEqual(pagesAsked().slice(2), [ledger]);
  });

  it('have the arrow of their next order before they come', async () => {
    const { dispatch, last, shown } = await shownLedger();
    dispatch({ kind: 'grid', action: { kind: 'sorted', field: 'orderId' } });
    const sort = { field: 'orderId', isDescending: false };
    assert.deepEqual(shown().slice(0, 3), ['loading', 1000, sort]);
    await last().reply(pageOf(200, totals));
    assert.deepEqual(shown().slice(0, 3), ['loading', 200, sort]);
  });

  it('follow what is typed into the search once no further key comes', async () => {
    const { dispatch, clock, pagesAsked, shown } = await shownLedger();
    const type = (value: string) => dispatch({ kind: 'filterEdited', parameter: 'search', value });
    const before = pagesAsked().length;
    for (const text of ['b', 'bt', 'btc ']) {
      type(text);
      await clock.advance(149);
    }
    assert.equal(pagesAsked().length, before);
    await clock.advance(1);
    assert.deepEqual(pagesAsked().slice(before), [{ search: 'btc ', sort: null, isStart: true }]);
    assert.deepEqual(shown().slice(0, 2), ['loading', 1000]);
  });

  it('show what was typed last, whichever answer comes last', async () => {
    const { dispatch, clock, requests, shown } = await shownLedger();
    const type = async (value: string) => {
      dispatch({ kind: 'filterEdited', parameter: 'search', value });
      await clock.advance(150);
      return requests.at(-1) ?? assert.fail('Nothing was asked.');
    };
    const [older, newer] = [await type('b'), await type('bt')];
    await newer.reply(pageOf(7, { totalElements: '7', totalPages: '1' }));
    await older.reply(pageOf(30, { totalElements: '30', totalPages: '1' }));
    assert.deepEqual([older.signal?.aborted, shown()[1]], [true, 7]);
  });

  it('are not searched again for what Enter or a reset has settled', async () => {
    const { dispatch, clock, pagesAsked } = await shownLedger();
    const before = pagesAsked().length;
    dispatch({ kind: 'filterEdited', parameter: 'search', value: 'b' });
    dispatch({ kind: 'searchChosen', text: 'b' });
    dispatch({ kind: 'filterEdited', parameter: 'search', value: 'bt' });
    dispatch({ kind: 'filtersReset' });
    await clock.advance(1000);
    assert.deepEqual(
      pagesAsked()
        .slice(before)
        .map((asked) => asked?.search),
      ['b', ''],
    );
  });
});
