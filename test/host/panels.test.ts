import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openEnd } from '../../src/base/interval.ts';
import type { ExportQuery } from '../../src/account/export/exportPlan.ts';
import type { Account } from '../../src/exchange/records.ts';
import type { TableFilters, TableName, TablePage, TableEvents } from '../../src/protocol/table.ts';
import { restoreQuery } from '../../src/protocol/tableQuery.ts';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { openSession, activatedExtension, loginAt, openAt } from '../support/extensionUnderTest.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { tablePanelsUnderTest } from '../support/tablePanelsUnderTest.ts';

describe('a table panel', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const { openExternal } = vscode.env;
  const access = activatedExtension();
  const exported: ExportQuery[] = [];
  const tables = tablePanelsUnderTest(access, {
    confirmRealValues: () => Promise.resolve(true),
    exportRows: (subject) => void exported.push(subject),
  });
  const { created } = tables;
  let opened: string[];

  beforeEach(() => {
    opened = [];
    exported.length = 0;
    (vscode.env as Record<string, unknown>).openExternal = (uri: vscode.Uri) =>
      Promise.resolve(opened.push(uri.toString(true)) > 0);
  });
  afterEach(() => {
    (vscode.env as Record<string, unknown>).openExternal = openExternal;
  });

  function show(name: TableName, filters?: TableFilters): FakePanel {
    tables.panels.show(name, filters);
    return created[0] ?? assert.fail('no panel');
  }

  it('opens once for each table, and is revealed the second time', () => {
    for (const name of ['orders', 'lots', 'orders', 'orders'] as const) tables.panels.show(name);
    const revealed = created.map(({ revealed }) => revealed);
    assert.deepEqual(revealed, [2, 0]);
    created[0]?.dispose();
    tables.panels.show('orders');
    assert.equal(created.length, 3);
  });

  it('opens one more for a symbol, and leaves the open one alone', async () => {
    const general = show('orders');
    await general.describe();
    tables.panels.show('orders', { symbol: 'btc_usdt' });
    const [, own = assert.fail()] = created;
    assert.deepEqual((await general.describe()).initialFilters, null);
    assert.deepEqual((await own.describe()).initialFilters, { symbol: 'btc_usdt' });
    assert.deepEqual([general.title, own.title], ['Order History', 'Order History · btc_usdt']);
    tables.panels.show('orders');
    tables.panels.show('orders', { symbol: 'btc_usdt' });
    assert.deepEqual([created.length, general.revealed, own.revealed], [2, 1, 1]);
  });

  it('has the symbol of its rows in its title, and the environment in its icon', async () => {
    const { sees } = await openChanging();
    const panel = show('orders');
    await sees({});
    await panel.ask('table/page', { filters: { symbol: 'eth_\u202eusdt' }, page: 0, size: 20 });
    assert.equal(panel.title, 'Order History · eth_ usdt');
    assert.match(String(panel.iconPath), /\/media\/panel\/test\.svg$/);
    tables.panels.show('transactions');
    const transactions = created[1] ?? assert.fail('no panel');
    const filters = { accountType: 'SPOT', asset: 'usdt' };
    await transactions.ask('table/page', { filters, page: 0, size: 20 });
    assert.equal(transactions.title, 'Transaction History · SPOT · usdt');
  });

  it('starts with the page size that the user chose last', async () => {
    const panel = show('lots');
    const first = (await panel.describe()).pageSize;
    const size = first === 50 ? 20 : 50;
    await panel.ask('table/page', { filters: {}, page: 0, size: first });
    await panel.ask('table/page', { filters: {}, page: 0, size });
    assert.equal((await panel.describe()).pageSize, size);
    panel.dispose();
    tables.panels.show('lots');
    assert.equal((await created.at(-1)?.describe())?.pageSize, size);
  });

  describe('that reads the next page ahead', () => {
    async function openOrders() {
      const { server } = await openChanging();
      const panel = show('orders');
      const { query } = await panel.firstRows();
      const second = { ...query, page: 1 };
      const read = () => server.requests.filter(({ path }) => path.includes('/orders/')).length;
      return { panel, second, read, before: read() };
    }

    it('shows it without another request, and says when it was read', async () => {
      const { panel, second, read, before } = await openOrders();
      await panel.ask('table/prefetch', second);
      await eventually('the read', () => read() > before);
      const ahead = read();
      const { body } = await panel.ask('table/page', second);
      assert.equal(read(), ahead);
      const { client } = await access.app.active.session();
      assert.ok((body as TablePage).readAt <= client.serverNow());
    });

    it('reads it again for other filters, and after it was hidden', async () => {
      const { panel, second, read, before } = await openOrders();
      await panel.ask('table/prefetch', second);
      await eventually('the read', () => read() > before);
      let ahead = read();
      await panel.ask('table/page', { ...second, filters: { side: 'BUY' } });
      assert.ok(read() > ahead);
      await panel.ask('table/prefetch', second);
      ahead = await eventually('the read', () => (read() > ahead + 1 ? read() : 0));
      panel.setVisible(false);
      await panel.ask('table/prefetch', second);
      panel.setVisible(true);
      await panel.ask('table/page', second);
      assert.ok(read() > ahead);
    });

    it('says what a page costs and what is left of the share', async () => {
      const { panel } = await openOrders();
      const { body } = await panel.ask('table/weight', null);
      assert.match(String(body), /^Costs weight 10(?:; [\d,]+ of [\d,]+ left of the share)?$/);
    });
  });

  /** What the host says of newer rows. */
  const offersIn = (panel: FakePanel) =>
    panel.posted.filter(({ name }) => name === 'table/newer').map(({ body }) => body);

  const emptyPage = '{"content":[],"size":20,"totalPages":0,"totalElements":0}';

  /** Opens an account at an exchange without rows; the function changes it and has it read. */
  async function openChanging(): Promise<{
    server: HostileServer;
    sees: (fields: Partial<Account>) => Promise<void>;
  }> {
    let account = anAccount();
    const server = await serve((request, response) =>
      response.end(request.url?.startsWith('/api/v1/accounts') ? wire(account) : emptyPage),
    );
    await openAt(access, server.url);
    const sees = async (fields: Partial<Account>): Promise<void> => {
      account = anAccount(fields);
      await (await access.app.active.session()).refresher.refresh();
    };
    return { server, sees };
  }

  for (const name of ['orders', 'trades'] as const)
    it(`offers newer rows of ${name} after the account has changed, and sends no request`, async () => {
      const { server, sees } = await openChanging();
      const panel = show(name);
      const query = restoreQuery(await panel.describe());
      const read = () => panel.ask('table/page', query);
      const offers = () => offersIn(panel);
      const histories = () => server.requests.filter(({ path }) => path.includes('history')).length;
      await read();
      const ofOneRead = histories();
      await sees({ positions: [aPosition({ markPrice: '1', upl: '2' })], equity: '3' });
      assert.deepEqual(offers(), []);
      for (const sumSizeBid of ['3', '4']) await sees({ orders: [someLocked({ sumSizeBid })] });
      assert.deepEqual(offers(), [{ pageId: 1 }]);
      assert.equal(histories(), ofOneRead);
      await read();
      await sees({ orders: [someLocked({ sumSizeBid: '4' })], positions: [] });
      assert.deepEqual(offers(), [{ pageId: 1 }, { pageId: 2 }]);
      assert.equal(histories(), 2 * ofOneRead);
    });

  it('offers newer rows if the page was read before the account, as after a reload', async () => {
    let account = anAccount();
    const readAccount = Promise.withResolvers<undefined>();
    const server = await serve((request, response) => {
      const isAccount = request.url?.startsWith('/api/v1/accounts');
      const reply = () => response.end(isAccount ? wire(account) : emptyPage);
      if (isAccount) void readAccount.promise.then(reply);
      else reply();
    });
    const { refresher, store } = await openSession(access.app, loginAt(server.url));
    const panel = show('orders');
    await panel.describe();
    const { body } = await panel.ask('table/page', { filters: {}, page: 0, size: 20 });
    assert.equal(store.state.snapshot, undefined);
    readAccount.resolve(undefined);
    await eventually('the first snapshot', () => store.state.snapshot);
    assert.deepEqual(offersIn(panel), []);
    account = anAccount({ positions: [] });
    await refresher.refresh();
    assert.deepEqual(offersIn(panel), [{ pageId: (body as TablePage).id }]);
  });

  for (const name of ['lots', 'transactions', 'leverageRules', 'feeTiers'] as const)
    it(`offers no newer rows of ${name}, which do not depend on orders and positions`, async () => {
      const { sees } = await openChanging();
      const panel = show(name);
      await panel.describe();
      await panel.ask('table/page', { filters: {}, page: 0, size: 20 });
      await sees({ orders: [], positions: [] });
      assert.deepEqual(
        panel.posted.filter((message) => message.name === 'table/newer'),
        [],
      );
    });

  const symbolPage = (symbol: string) => ({ filters: { symbol }, page: 0, size: 20 });
  const reopenEvents = (panel: FakePanel) =>
    panel.posted.filter(({ name }) => name === 'table/reopen');

  it('starts once with the filters of the command', async () => {
    const panel = show('orders', { symbol: 'eth_usdt' });
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'eth_usdt' });
    await panel.ask('table/page', symbolPage('eth_usdt'));
    assert.equal((await panel.describe()).initialFilters, null);
  });

  it('starts with them even if the page repeats its request before the reply', async () => {
    const panel = show('orders', { symbol: 'eth_usdt' });
    panel.askAndCancel('table/open', null);
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'eth_usdt' });
    panel.askAndCancel('table/page', { filters: {}, page: 0, size: 20 });
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'eth_usdt' });
  });

  describe('that was hidden', () => {
    const view = {
      zone: 'UTC',
      formValues: { symbol: 'eth' },
      find: 'btc',
      grid: {
        sort: { field: 'price', isDescending: true },
        active: { row: 3, column: 1 },
        selection: [{ anchor: { row: 2, column: 1 }, end: { row: 3, column: 1 }, isRows: false }],
        pageId: 1,
        scroll: { pageId: 1, top: 240, left: 0 },
        areDetailsOpen: false,
      },
    };
    const query = { filters: {}, page: 0, size: 20 };

    it('has its rows and typed text kept, without a request', async () => {
      const { server } = await openChanging();
      const panel = show('orders');
      const { query, page } = await panel.firstRows();
      await panel.ask('table/keep', view);
      const sent = server.requests.length;
      panel.setVisible(false);
      panel.setVisible(true);
      const { kept } = await panel.describe();
      const shown = { query, page };
      assert.deepEqual(kept, { shown, failed: null, view, outdatedPageId: null });
      assert.deepEqual(
        server.requests.slice(sent).map(({ path }) => path),
        [],
      );
    });

    it('still offers newer rows when it is shown again', async () => {
      const { sees } = await openChanging();
      await sees({});
      const panel = show('orders');
      await panel.describe();
      await panel.ask('table/page', query);
      panel.setVisible(false);
      await sees({ positions: [] });
      panel.setVisible(true);
      const { kept } = await panel.describe();
      assert.equal(kept?.outdatedPageId, kept?.shown?.page.id);
    });

    it('begins at the first page of another account', async () => {
      const { server } = await openChanging();
      const panel = show('orders');
      await panel.describe();
      await panel.ask('table/page', { ...query, filters: { side: 'BUY' }, page: 6 });
      panel.setVisible(false);
      await openSession(access.app, loginAt(server.url, { name: 'Other' }));
      panel.setVisible(true);
      await eventually('the other account', async () => {
        const { context, query: asked } = await panel.describe();
        return context.profile === 'Other' && asked?.page === 0 && asked.filters.side === 'BUY';
      });
    });

    it('has a failure kept beside the rows before it, but neither in another session', async () => {
      let orders = emptyPage;
      const server = await serve((request, response) =>
        response.end(request.url?.startsWith('/api/v1/accounts') ? wire(anAccount()) : orders),
      );
      await openAt(access, server.url);
      const panel = show('orders');
      await panel.describe();
      await panel.ask('table/page', query);
      orders = '<html>';
      const second = { ...query, filters: { side: 'BUY' } };
      const { body } = await panel.ask('table/page', second);
      const { kept } = await panel.describe();
      assert.deepEqual(kept?.failed, { query: second, failure: body });
      assert.deepEqual(kept.shown?.query, query);
      await openAt(access, server.url);
      assert.equal((await panel.describe()).kept, null);
    });
  });

  it('does not notify a page that still loads', async () => {
    const panel = show('orders', { symbol: 'eth_usdt' });
    assert.deepEqual(reopenEvents(panel), []);
    await panel.describe();
    panel.setVisible(false);
    panel.setVisible(true);
    const filters = { symbol: 'eth_usdt', side: 'BUY' };
    show('orders', filters);
    assert.deepEqual(reopenEvents(panel), []);
    assert.deepEqual((await panel.describe()).initialFilters, filters);
  });

  it('notifies an open page of new filters', async () => {
    const panel = show('trades', { symbol: 'sol_usdt' });
    await panel.describe();
    await panel.ask('table/page', symbolPage('sol_usdt'));
    assert.equal((await panel.describe()).initialFilters, null);
    show('trades', { symbol: 'sol_usdt' });
    assert.ok(panel.posted.some(({ kind, name }) => kind === 'event' && name === 'table/reopen'));
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'sol_usdt' });
  });

  const rules = wire(
    ['1', '2', '3', '4', '5'].map((leverage) => ({
      leverage,
      positionNotional: '1',
      maintenanceMargin: '1',
      initialMargin: '2',
    })),
  );
  const leveraged = (symbol: string, leverage: string) => aPosition({ symbol, leverage });
  const readRules = async (panel: FakePanel) =>
    (await panel.ask('table/page', { filters: {}, page: 0, size: 20 })).body as TablePage;

  it('updates its annotations with the account, without a request, and shows when they are stale', async () => {
    let positions = [leveraged('btc_usdt', '3')];
    const server = await serve(({ url }, response) =>
      response.end(url?.includes('leverage') ? rules : wire(anAccount({ positions }))),
    );
    await openAt(access, server.url);
    const panel = show('leverageRules');
    const { page: first } = await panel.firstRows();
    assert.deepEqual([first.startRow, first.marks], [null, [{ row: 2, label: 'btc_usdt' }]]);
    assert.deepEqual(first.notes, []);
    const shown = () => {
      const { body } = panel.posted.filter(({ name }) => name === 'table/display').at(-1) ?? {};
      return (body as TableEvents['table/display'] | undefined)?.page ?? undefined;
    };
    const rulesRead = () => server.requests.filter(({ path }) => path.includes('leverage')).length;
    const before = rulesRead();
    positions = [leveraged('btc_usdt', '5')];
    const { refresher, store } = await access.app.active.session();
    await refresher.refresh();
    assert.deepEqual(shown()?.marks, [{ row: 4, label: 'btc_usdt' }]);
    assert.equal(shown()?.id, first.id);
    assert.equal(rulesRead(), before);
    const { snapshot = assert.fail() } = store.state;
    store.replace({ ...snapshot, asOf: Date.now() - 190_000 });
    const [note] = shown()?.notes ?? [];
    assert.match(
      note ?? '',
      /^Stale: the account data on this page is 3 min old, read \d{4}-.+\.$/,
    );
    await readRules(panel);
    await eventually('a read of the account', () => shown()?.notes.length === 0);
  });

  for (const [what, state] of [
    ['nothing', undefined],
    ['another version', { v: 2, table: 'orders', scope: '' }],
    ['an unknown table', { v: 1, table: 'tickers', scope: '' }],
    ['no table', { v: 1, scope: '' }],
  ] as const) {
    it(`is closed without a message after a reload that saved ${what}`, async () => {
      const panel = new FakePanel();
      await tables.panels.deserializeWebviewPanel(panel.asPanel(), state);
      assert.ok(panel.disposed);
      assert.deepEqual(messages.shown, []);
    });
  }

  it('is restored once after a reload', async () => {
    const [first, second] = [new FakePanel(), new FakePanel()];
    for (const panel of [first, second])
      await tables.panels.deserializeWebviewPanel(panel.asPanel(), {
        v: 1,
        table: 'feeTiers',
        scope: '',
      });
    assert.match(first.title, /^Fee Tiers/);
    assert.ok(second.disposed && !first.disposed);
    assert.equal((await first.describe()).table, 'feeTiers');
    tables.panels.show('feeTiers');
    assert.deepEqual([created.length, first.revealed], [0, 1]);
  });

  const restored = async (state: object = { v: 1, table: 'trades', scope: '' }) => {
    const panel = new FakePanel();
    panel.title = 'Trade History';
    await tables.panels.deserializeWebviewPanel(panel.asPanel(), state);
    return panel;
  };

  it('has its last query again after a reload, until its user closes it', async () => {
    const query = { filters: { symbol: 'eth_usdt', side: 'BUY' }, page: 2, size: 50 };
    await show('trades').ask('table/page', query);
    tables.panels.dispose();
    const panel = await restored();
    assert.equal(panel.title, 'Trade History · eth_usdt');
    assert.deepEqual((await panel.describe()).query, query);
    panel.dispose();
    assert.equal((await (await restored()).describe()).query, null);
  });

  it('exports the rows of the applied filters', async () => {
    const filters = { symbol: 'eth_usdt', dateFrom: '2026-11-01T00:00:00.000Z' };
    assert.equal((await show('trades').ask('table/export', filters)).kind, 'reply');
    const period = { from: Date.UTC(2026, 10, 1), to: openEnd };
    const request = { operation: 'trades', filters: { symbol: 'eth_usdt' } };
    assert.deepEqual(exported, [{ request, period }]);
  });

  it('names the count of rows of an export only if it counts the rows that match', async () => {
    const page = `{"content":[],"size":20,"totalPages":2,"totalElements":40}`;
    const server = await serve((request, response) =>
      response.end(request.url?.startsWith('/api/v1/accounts') ? wire(anAccount()) : page),
    );
    await openAt(access, server.url);
    const panel = show('orders');
    for (const filters of [{ side: 'BUY' }, { statuses: ['EXECUTED', 'CANCELED'] }]) {
      await panel.ask('table/page', { filters, page: 0, size: 20 });
      await panel.ask('table/export', filters);
    }
    assert.deepEqual(
      exported.map(({ matchingRows }) => matchingRows),
      [40, undefined],
    );
  });

  it('refuses to export with an invalid date, and exports no reference data', async () => {
    const refused = await show('orders').ask('table/export', { dateTo: 'soon' });
    assert.equal(refused.kind, 'error');
    const panel = new FakePanel();
    await tables.panels.deserializeWebviewPanel(panel.asPanel(), {
      v: 1,
      table: 'feeTiers',
      scope: '',
    });
    assert.deepEqual((await panel.describe()).pageSizes, []);
    await panel.ask('table/export', {});
    assert.deepEqual(exported, []);
  });

  it('passes the rows of the active panel to the export command', async () => {
    const panel = show('orders');
    panel.active = true;
    const side = (): string | undefined => {
      const request = tables.panels.activeExportSubject?.request;
      return request?.operation === 'orders' ? request.filters.side : 'no orders';
    };
    assert.equal(side(), 'no orders');
    await panel.ask('table/page', { filters: { side: 'BUY' }, page: 0, size: 20 });
    assert.equal(side(), 'BUY');
  });

  it('opens a link only after the user has seen its address', async () => {
    const panel = show('transactions');
    const link = 'https://ex\u00e4mple.com/transactions/\u202eabc';
    messages.answers.push('Open Link');
    assert.equal((await panel.ask('table/openLink', link)).kind, 'reply');
    await eventually('the link to open', () => opened.length);
    const [question] = messages.shown;
    assert.ok(question?.modal);
    assert.equal(question.text, 'Open a link from the exchange to xn--exmple-cua.com?');
    assert.equal(question.detail, 'https://xn--exmple-cua.com/transactions/%E2%80%AEabc');
    assert.equal(new URL(opened[0] ?? '').host, 'xn--exmple-cua.com');
  });

  it('opens nothing if the user closes the question', async () => {
    await show('transactions').ask('table/openLink', 'https://host.example/transactions/1');
    await eventually('the question', () => messages.shown.length);
    assert.deepEqual(opened, []);
  });

  for (const link of ['http://host.example/', 'command:workbench.action.quit'])
    it(`refuses ${link} with one sentence, without a question`, async () => {
      const { kind, body } = await show('transactions').ask('table/openLink', link);
      assert.equal(kind, 'error');
      assert.match((body as { sentence: string }).sentence, /^The link was not opened: [^.]+\.$/);
      assert.deepEqual([messages.shown, opened], [[], []]);
    });
});
