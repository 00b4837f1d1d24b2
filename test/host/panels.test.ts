import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { clientKey } from '../../src/exchange/client.ts';
import { openEnd } from '../../src/base/interval.ts';
import type { ExportQuery } from '../../src/account/export/exportPlan.ts';
import type { Account } from '../../src/exchange/records.ts';
import type { TableFilters, TableName, TablePage } from '../../src/protocol/table.ts';
import { restoreQuery } from '../../src/protocol/tableQuery.ts';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
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

  it('begins with what the one before showed, unless a command chose the rows of either', async () => {
    const pageOf = async (panel: FakePanel): Promise<string> => {
      await eventually('its page', () => panel.webview.html !== '');
      return panel.webview.html;
    };
    const showAndClose = async (filters?: TableFilters): Promise<string> => {
      created.length = 0;
      const panel = show('orders', filters);
      const page = await pageOf(panel);
      const [, stamp] = /data-stamp="([^"]+)"/.exec(page) ?? [];
      const html = `<p>${filters ? 'filtered' : 'as opened'}</p>`;
      panel.tell({ kind: 'snapshot', stamp, html, isTouched: false });
      panel.dispose();
      return /<div id="kept".*?<\/p>/.exec(page)?.[0] ?? '';
    };
    assert.equal(await showAndClose({ side: 'BUY' }), '');
    assert.equal(await showAndClose(), '');
    assert.equal(await showAndClose({ side: 'BUY' }), '');
    assert.match(await showAndClose(), /<p>as opened<\/p>$/);
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

  describe('that reads the next page ahead', () => {
    async function openOrders() {
      const { server } = await openChanging();
      const panel = show('orders');
      const { query } = await panel.firstRows();
      const second = { ...query, page: 1 };
      // A panel that another test left open reads other pages.
      const path = `/orders/history?page=1&size=${query.size}&`;
      const read = () => server.requests.filter((request) => request.path.includes(path)).length;
      return { panel, second, read, before: read() };
    }

    it('shows it without another request, and says when it was read', async () => {
      const { panel, second, read, before } = await openOrders();
      await panel.ask('table/prefetch', second);
      await eventually('the read', () => read() > before);
      const ahead = read();
      const { body } = await panel.ask('table/page', second);
      assert.equal(read(), ahead);
      const { [clientKey]: client } = await access.app.active.session();
      assert.ok((body as TablePage).readAt <= client.serverNow());
    });
  });

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
      const offers = () =>
        panel.posted.filter(({ name }) => name === 'table/newer').map(({ body }) => body);
      // A page that another test left open reads other histories, or pages of another size.
      const isOfPanel = (path: string): boolean =>
        path.includes(`/${name}/history`) && path.includes(`size=${query.size}&`);
      const histories = () => server.requests.map(({ path }) => path).filter(isOfPanel);
      await read();
      const ofOneRead = histories();
      assert.ok(ofOneRead.length > 0);
      await sees({ positions: [aPosition({ markPrice: '1', upl: '2' })], equity: '3' });
      assert.deepEqual(offers(), []);
      for (const sumSizeBid of ['3', '4']) await sees({ orders: [someLocked({ sumSizeBid })] });
      assert.deepEqual(offers(), [{ pageId: 1 }]);
      assert.deepEqual(histories(), ofOneRead);
      await read();
      await sees({ orders: [someLocked({ sumSizeBid: '4' })], positions: [] });
      assert.deepEqual(offers(), [{ pageId: 1 }, { pageId: 2 }]);
      assert.deepEqual(histories().length, 2 * ofOneRead.length, histories().join('\n'));
    });

  const symbolPage = (symbol: string) => ({ filters: { symbol }, page: 0, size: 20 });

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

    it('has its rows and typed text kept, without a request', async () => {
      const { server } = await openChanging();
      const panel = show('orders');
      const { query, page } = await panel.firstRows();
      await panel.ask('table/keep', view);
      // A panel of another test may still read its own history.
      const orderRequests = () =>
        server.requests.map(({ path }) => path).filter((path) => path.includes('/orders'));
      const sent = orderRequests();
      panel.setVisible(false);
      panel.setVisible(true);
      const { kept } = await panel.describe();
      const shown = { query, page };
      assert.deepEqual(kept, { shown, failed: null, view, outdatedPageId: null });
      assert.deepEqual(orderRequests(), sent);
    });
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

  it('opens a link only after the user has seen and confirmed its address', async () => {
    const panel = show('transactions');
    const link = 'https://ex\u00e4mple.com/transactions/\u202eabc';
    for (const answers of [[], ['Open Link']]) {
      messages.answers.push(...answers);
      assert.equal((await panel.ask('table/openLink', link)).kind, 'reply');
    }
    await eventually('the link to open', () => opened.length);
    assert.deepEqual([messages.shown.length, opened.length], [2, 1], 'the first was closed');
    const [question] = messages.shown;
    assert.ok(question?.modal);
    assert.equal(question.text, 'Open a link from the exchange to xn--exmple-cua.com?');
    assert.equal(question.detail, 'https://xn--exmple-cua.com/transactions/%E2%80%AEabc');
    assert.equal(new URL(opened[0] ?? '').host, 'xn--exmple-cua.com');
  });
});
