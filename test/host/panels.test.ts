import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExportQuery } from '../../src/account/export/exportPlan.ts';
import { autoConventions } from '../../src/exchange/conventions/apiConventions.ts';
import type { Account } from '../../src/exchange/records.ts';
import type { TestAccess } from '../../src/extension.ts';
import { commands } from '../../src/host/contributions.ts';
import type { Log } from '../../src/host/log.ts';
import { TablePanels } from '../../src/host/panels/tablePanels.ts';
import { RowCommands } from '../../src/host/trees/rowCommands.ts';
import type { AccountNode } from '../../src/host/trees/treeRow.ts';
import type {
  TableEvents,
  TableFilters,
  TableName,
  TablePage,
  TableQuery,
} from '../../src/protocol/table.ts';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { openSession, extensionUnderTest, loginAt, openAt } from '../support/extensionUnderTest.ts';
import { FakePanel } from '../support/fakePanel.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

const titles = {
  [commands.openOrderHistory]: 'Order History',
  [commands.openTradeHistory]: 'Trade History',
  [commands.openLiquidationHistory]: 'Liquidation Lot History',
  [commands.openTransactionHistory]: 'Transaction History',
  [commands.openExchangeInformation]: 'Exchange Information',
  [commands.openLeverageRules]: 'Leverage Rules',
  [commands.openFeeTiers]: 'Fee Tiers',
};

describe('the commands of the tables', () => {
  const serve = serversOfEachTest();

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const labels = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview)
      .map(({ label }) => label);

  it('open each table in one tab, named after the table and the environment', async () => {
    const server = await serve((_request, response) => response.end(wire(anAccount())));
    await openAt(await extensionUnderTest(), server.url);
    for (const id of [...Object.keys(titles), ...Object.keys(titles)])
      await vscode.commands.executeCommand(id);
    const expected = Object.values(titles).map((title) => `${title} · Mine · TEST`);
    await eventually('every tab', () => labels().length === expected.length);
    assert.deepEqual(labels().sort(), expected.sort());
  });
});

describe('a table panel', () => {
  const serve = serversOfEachTest();
  const messages = scriptedMessages();
  const window = vscode.window as unknown as Record<string, unknown>;
  const { createWebviewPanel, registerWebviewPanelSerializer } = vscode.window;
  const { openExternal } = vscode.env;
  let access: TestAccess;
  let created: FakePanel[];
  let opened: string[];
  let exported: ExportQuery[];
  let panels: TablePanels;

  before(async () => {
    access = await extensionUnderTest();
  });
  beforeEach(() => {
    created = [];
    opened = [];
    window.registerWebviewPanelSerializer = () => new vscode.Disposable(() => undefined);
    window.createWebviewPanel = () => {
      const panel = new FakePanel();
      created.push(panel);
      return panel;
    };
    (vscode.env as Record<string, unknown>).openExternal = (uri: vscode.Uri) =>
      Promise.resolve(opened.push(uri.toString(true)) > 0);
    const log = { failure: () => undefined } as unknown as Log;
    exported = [];
    panels = new TablePanels({
      extensionUri: access.context.extensionUri,
      active: access.app.active,
      display: access.app.display,
      confirmRealValues: () => Promise.resolve(true),
      log,
      exportRows: (subject) => void exported.push(subject),
    });
  });
  afterEach(() => {
    panels.dispose();
    Object.assign(window, { createWebviewPanel, registerWebviewPanelSerializer });
    (vscode.env as Record<string, unknown>).openExternal = openExternal;
  });

  function show(name: TableName, filters?: TableFilters): FakePanel {
    panels.show(name, filters);
    return created[0] ?? assert.fail('no panel');
  }

  it('opens once for each table, and is revealed the second time', () => {
    for (const name of ['orders', 'lots', 'orders', 'orders'] as const) panels.show(name);
    assert.deepEqual(
      created.map(({ revealed }) => revealed),
      [2, 0],
    );
    created[0]?.dispose();
    panels.show('orders');
    assert.equal(created.length, 3);
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
      await panel.describe();
      const read = () => panel.ask('table/page', { filters: {}, page: 0, size: 20 });
      const offers = () => panel.posted.filter((message) => message.name === 'table/newer');
      const histories = () => server.requests.filter(({ path }) => path.includes('history')).length;
      await read();
      const ofOneRead = histories();
      await sees({ positions: [aPosition({ markPrice: '1', upl: '2' })], equity: '3' });
      assert.deepEqual(offers(), []);
      for (const sumSizeBid of ['3', '4']) await sees({ orders: [someLocked({ sumSizeBid })] });
      assert.deepEqual(
        offers().map(({ body }) => body),
        [{ pageId: 1 }],
      );
      assert.equal(histories(), ofOneRead);
      await read();
      await sees({ orders: [someLocked({ sumSizeBid: '4' })], positions: [] });
      assert.deepEqual(
        offers().map(({ body }) => body),
        [{ pageId: 1 }, { pageId: 2 }],
      );
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
    await panel.ask('table/page', { filters: {}, page: 0, size: 20 });
    assert.equal(store.state.snapshot, undefined);
    const offers = () => panel.posted.filter((message) => message.name === 'table/newer');
    readAccount.resolve(undefined);
    await eventually('the first snapshot', () => store.state.snapshot);
    assert.deepEqual(offers(), []);
    account = anAccount({ positions: [] });
    await refresher.refresh();
    assert.deepEqual(
      offers().map(({ body }) => body),
      [{ pageId: 1 }],
    );
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

  it('starts with them also if the page repeats its request before the reply', async () => {
    const panel = show('orders', { symbol: 'eth_usdt' });
    panel.askInVain('table/open', null);
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'eth_usdt' });
    panel.askInVain('table/page', { filters: {}, page: 0, size: 20 });
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'eth_usdt' });
  });

  it('does not notify a page that still loads', async () => {
    const panel = show('orders', { symbol: 'eth_usdt' });
    assert.deepEqual(reopenEvents(panel), []);
    await panel.describe();
    panel.setVisible(false);
    panel.setVisible(true);
    show('orders', { symbol: 'btc_usdt' });
    assert.deepEqual(reopenEvents(panel), []);
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'btc_usdt' });
  });

  it('notifies an open page of new filters', async () => {
    const panel = show('trades');
    assert.equal((await panel.describe()).initialFilters, null);
    show('trades', { symbol: 'sol_usdt' });
    assert.ok(panel.posted.some(({ kind, name }) => kind === 'event' && name === 'table/reopen'));
    assert.deepEqual((await panel.describe()).initialFilters, { symbol: 'sol_usdt' });
  });

  const rules = wire(
    ['1', '2', '3', '4', '5'].map((leverage) => ({
      ...{ leverage, positionNotional: '1', maintenanceMargin: '1', initialMargin: '2' },
    })),
  );
  const leveraged = (symbol: string, leverage: string) => aPosition({ symbol, leverage });
  const readRules = async (panel: FakePanel) =>
    (await panel.ask('table/page', { filters: {}, page: 0, size: 20 })).body as TablePage;

  it('scrolls to the leverage rule of the position, also if it is open already', async () => {
    const positions = [leveraged('btc_usdt', '3'), leveraged('eth_usdt', '5')];
    const server = await serve(({ url }, response) =>
      response.end(url?.includes('leverage') ? rules : wire(anAccount({ positions }))),
    );
    await openAt(access, server.url);
    const { positions: tree } = access.app;
    const confirmRealValues = () => Promise.resolve(true);
    const actions = new RowCommands({ trees: [tree], panels, confirmRealValues });
    const openRuleOf = async (symbol: string) => {
      const isIts = (node: AccountNode) => node.kind === 'row' && node.row.label === symbol;
      actions.openLeverageRule(tree.getChildren().find(isIts));
      const panel = created[0] ?? assert.fail('no panel');
      await panel.describe();
      return readRules(panel);
    };
    const { startRow, marks } = await openRuleOf('eth_usdt');
    assert.equal(startRow, 4);
    assert.deepEqual(marks, [
      { row: 2, label: 'btc_usdt' },
      { row: 4, label: 'eth_usdt' },
    ]);
    const panel = created[0] ?? assert.fail();
    assert.deepEqual(reopenEvents(panel), []);
    assert.equal((await openRuleOf('btc_usdt')).startRow, 2);
    assert.equal(reopenEvents(panel).length, 1);
    assert.equal((await readRules(panel)).startRow, 2);
    assert.deepEqual([created.length, panel.revealed], [1, 1]);
  });

  it('updates its annotations with the account, without a request, and shows when they are stale', async () => {
    let positions = [leveraged('btc_usdt', '3')];
    const server = await serve(({ url }, response) =>
      response.end(url?.includes('leverage') ? rules : wire(anAccount({ positions }))),
    );
    await openAt(access, server.url);
    const panel = show('leverageRules');
    await panel.describe();
    const first = await readRules(panel);
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
      /^Stale: the account data on this page is 3 min old, as of \d{4}-.+\.$/,
    );
    await readRules(panel);
    await eventually('a read of the account', () => shown()?.notes.length === 0);
  });

  for (const [what, state] of [
    ['nothing', undefined],
    ['another version', { v: 2, table: 'orders' }],
    ['an unknown table', { v: 1, table: 'tickers' }],
    ['no table', { v: 1 }],
  ] as const) {
    it(`is closed without a message after a reload that saved ${what}`, async () => {
      const panel = new FakePanel();
      await panels.deserializeWebviewPanel(panel.asPanel(), state);
      assert.ok(panel.disposed);
      assert.deepEqual(messages.shown, []);
    });
  }

  it('is restored once after a reload', async () => {
    const [first, second] = [new FakePanel(), new FakePanel()];
    for (const panel of [first, second])
      await panels.deserializeWebviewPanel(panel.asPanel(), { v: 1, table: 'feeTiers' });
    assert.match(first.title, /^Fee Tiers/);
    assert.ok(second.disposed && !first.disposed);
    assert.equal((await first.describe()).table, 'feeTiers');
    panels.show('feeTiers');
    assert.deepEqual([created.length, first.revealed], [0, 1]);
  });

  it('reads one part of a period that is too long for one request, and exports the whole period', async () => {
    const { url, requests } = await serve(({ url: path }, response) =>
      response.end(path?.startsWith('/api/v1/accounts') ? wire(anAccount()) : emptyPage),
    );
    const dialect = { ...autoConventions, dates: 'epochMs', maxRangeDays: 7 } as const;
    await openAt(access, url, { dialect });
    const panel = show('trades');
    await panel.describe();
    const filters = { dateFrom: '2024-11-01T00:00:00.000Z', dateTo: '2024-11-20T23:59:59.000Z' };
    const [from, to] = [Date.UTC(2024, 10, 1), Date.UTC(2024, 10, 21)];
    const week = 7 * 86_400_000;
    const read = async (part?: TableQuery['part']) => {
      const query = { filters, page: 0, size: 20, ...(part && { part }) };
      const page = (await panel.ask('table/page', query)).body as TablePage;
      const { path = '' } =
        requests.filter((request) => request.path.includes('trades')).at(-1) ?? {};
      const sent = new URL(path, url).searchParams;
      return { part: page.part, sent: [sent.get('dateFrom'), sent.get('dateTo')].map(Number) };
    };
    const latest = await read();
    assert.deepEqual(latest.part, { from: to - week, to, older: to - week, newer: null });
    assert.deepEqual(latest.sent, [to - week, to]);
    const older = await read({ to: to - week, isLatest: false });
    assert.deepEqual(older.sent, [to - 2 * week, to - week]);
    assert.equal(older.part?.newer, to);
    await panel.ask('table/export', filters);
    assert.deepEqual(exported[0]?.period, { from, to });
  });

  it('exports the rows of the applied filters', async () => {
    const filters = { symbol: 'eth_usdt', dateFrom: '2026-11-01T00:00:00.000Z' };
    assert.equal((await show('trades').ask('table/export', filters)).kind, 'reply');
    const period = { from: Date.UTC(2026, 10, 1), to: undefined };
    const request = { operation: 'trades', filters: { symbol: 'eth_usdt' } };
    assert.deepEqual(exported, [{ request, period }]);
  });

  it('refuses to export with an invalid date, and exports no reference data', async () => {
    const refused = await show('orders').ask('table/export', { dateTo: 'soon' });
    assert.equal(refused.kind, 'error');
    const panel = new FakePanel();
    await panels.deserializeWebviewPanel(panel.asPanel(), { v: 1, table: 'feeTiers' });
    assert.equal((await panel.describe()).canExport, false);
    await panel.ask('table/export', {});
    assert.deepEqual(exported, []);
  });

  it('gives the export command the rows of the active panel', async () => {
    const panel = show('orders');
    panel.active = true;
    const side = (): string | undefined => {
      const request = panels.activeExportSubject?.request;
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

  for (const link of [
    'http://host.example/',
    'command:workbench.action.quit',
    'javascript:alert(1)',
    'vscode://margin-desk.margin-desk/x',
    'https://bank.example@evil.example/',
    '<img src=x onerror=alert(1)>',
    '',
  ]) {
    it(`refuses ${link || 'an empty link'} with one sentence, without a question`, async () => {
      const { kind, body } = await show('transactions').ask('table/openLink', link);
      assert.equal(kind, 'error');
      const { sentence } = body as { sentence: string };
      assert.match(sentence, /^The link was not opened: [^.]+\.$/);
      assert.deepEqual([messages.shown, opened], [[], []]);
    });
  }
});
