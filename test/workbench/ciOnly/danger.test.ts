import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import type { Account } from '../../../src/exchange/records.ts';
import { anAccount, anOrder, aPosition, someLocked, wire } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { accountReads, hostileServer, type HostileServer } from '../../support/hostileServer.ts';
import { setSideBarWidth, useTheme } from '../../support/workbench/appearance.ts';
import { pressInDialog, readDialog } from '../../support/workbench/dialog.ts';
import { runAndPick, runCommand } from '../../support/workbench/commands.ts';
import {
  leaveHover,
  pressInHover,
  readHover,
  whileHovering,
} from '../../support/workbench/hover.ts';
import {
  clearNotifications,
  notification,
  pressInNotification,
  readNotifications,
} from '../../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../../support/workbench/panelFilters.ts';
import { statusBarItem } from '../../support/workbench/statusBar.ts';
import {
  chooseFromMenu,
  readRows,
  showView,
  treeRow,
  treeRows,
} from '../../support/workbench/tree.ts';
import { webview } from '../../support/workbench/webview.ts';

const count = 200;
const digits = '123456789012345678901234567890';

/** Positions from 2 % on, one per cent apart, in an order of their own; amounts of 30 digits. */
const account = anAccount({
  positions: Array.from({ length: count }, (_, index) => {
    const distance = 2 + ((index * 77) % count);
    const isShort = index % 2 === 1 || distance >= 100;
    return aPosition({
      symbol: `coin${String(distance).padStart(3, '0')}_usdt`,
      leverage: distance === 3 ? '20' : distance === 4 ? '60' : '5',
      amount: isShort ? `-0.${digits}` : digits,
      markPrice: '100',
      basePrice: index % 3 ? '110' : '90',
      liquidationPrice: String(isShort ? 100 + distance : 100 - distance),
      upl: index % 3 ? '-1234567.25' : '98765.5',
    });
  }),
  orders: [someLocked({ symbol: 'coin002_usdt' })],
});

/** More than a panel has room for: those of ×20 and ×5 are the thirty-first and the last but four. */
const rules = Array.from({ length: 50 }, (_, index) => ({
  leverage: String(50 - index),
  positionNotional: '1',
  maintenanceMargin: '1',
  initialMargin: '2',
}));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const noTrades = '{"content":[],"size":20,"totalPages":0,"totalElements":0}';

/** One window on an exchange of our own: each test goes on where the one before it ended. */
describe('200 positions in a real workbench', () => {
  let exchange: HostileServer;
  let workbench: Workbench;
  let isSilent = false;
  let shown: Partial<Account> = account;
  let otherEquity = '1000';
  /** Takes the order history’s question, and answers it when a test wants that. */
  let onOrders: ((response: ServerResponse) => void) | undefined;

  before(async () => {
    exchange = await hostileServer((request, response) => {
      if (request.url?.startsWith('/other')) response.end(wire(anAccount({ equity: otherEquity })));
      else if (request.url?.includes('/accounts')) response.end(wire(shown));
      else if (onOrders && request.url?.includes('/orders/history')) onOrders(response);
      else if (request.url?.includes('/trades')) response.end(noTrades);
      else if (isSilent && request.url?.includes('/leverage')) response.end(wire(rules));
      else if (!isSilent) response.writeHead(404).end();
    });
    const profile = { baseUrl: exchange.url, environment: 'test', auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 900 },
      settings: {
        'marginDesk.profiles': {
          Main: profile,
          Watch: { ...profile, readOnly: true },
          Other: { ...profile, baseUrl: `${exchange.url}/other` },
        },
        'marginDesk.defaultProfile': 'Main',
        'marginDesk.timeZone': 'Pacific/Kiritimati',
        'marginDesk.alerts.positions': true,
        'marginDesk.alerts.liquidations': true,
        'marginDesk.alerts.equity': true,
        'marginDesk.pollSeconds.focused': 600,
        'marginDesk.pollSeconds.unfocused': 600,
      },
    });
    await showView(page(), 'Margin Desk');
    await treeRow(page(), 'coin002_usdt').waitFor();
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const status = () => statusBarItem(page(), 'marginDesk.equity');

  /** That the whole symbol of each row is in sight, and nothing is beside the list. */
  async function symbolsFit(): Promise<void> {
    const sideBar = await page().locator('.part.sidebar').boundingBox();
    assert.ok(sideBar && sideBar.width <= 201);
    const rows = await treeRows(page()).all();
    assert.ok(rows.length >= 5);
    for (const row of rows) {
      const label = await row.locator('.label-name').boundingBox();
      assert.ok(label && label.width > 0);
      assert.ok(label.x >= sideBar.x && label.x + label.width <= sideBar.x + sideBar.width);
      assert.ok(await row.evaluate((element) => element.scrollWidth <= element.clientWidth));
    }
  }

  it('alert once, with every position in danger in one notification', async () => {
    const danger = /TEST · Main: 9 positions are close to liquidation: /;
    const alert = notification(page(), 'are close to liquidation');
    await alert.waitFor();
    assert.match(await alert.innerText(), danger);
    for (let times = 0; times < 3; times += 1)
      await runCommand(page(), 'Margin Desk: Refresh Account');
    const alerts = (await readNotifications(page())).filter((text) =>
      text.includes('TEST · Main: 9 positions are close to liquidation: '),
    );
    assert.equal(alerts.length, 1);
  });

  it('do not alert again when asked not to, which is written into the settings', async () => {
    const alert = notification(page(), 'are close to liquidation');
    await pressInNotification(alert, 'Do Not Show Again');
    const settings = path.join(workbench.dataDir, 'data/User/settings.json');
    await eventually('the setting', async () =>
      /"marginDesk.alerts.positions": false/.test(await readFile(settings, 'utf8')),
    );
    await clearNotifications(page());
  });

  it('are sorted by distance to liquidation, with band, direction and figures in words', async () => {
    const [head, ...rows] = await readRows(page(), 'Positions');
    assert.equal(head?.label, 'TEST · Main');
    assert.ok(rows.length >= 5);
    assert.deepEqual(
      rows.map(({ label }) => label),
      rows.map((_, index) => `coin${String(index + 2).padStart(3, '0')}_usdt`),
    );
    assert.match(
      rows[0]?.spoken ?? '',
      /^coin002_usdt, critical, Long, Unrealised P&L [\d,.-]+, .*, Amount 123,456,789,/,
    );
    assert.match(rows[4]?.spoken ?? '', /, near liquidation, /);
  });

  it('are counted on the activity bar, and the nearest is in the status bar', async () => {
    const badge = page().locator('.activitybar .action-item', { has: page().locator('.badge') });
    await badge.locator('.badge-content', { hasText: '4' }).waitFor();
    await eventually('the nearest', async () =>
      (await status().innerText()).endsWith(' coin002 2 %'),
    );
    assert.match((await status().getAttribute('class')) ?? '', /error-kind/);
  });

  it('fit a narrow side bar, with and without the borders of high contrast', async () => {
    await setSideBarWidth(page(), 200);
    await symbolsFit();
    await useTheme(workbench, 'Default High Contrast');
    await symbolsFit();
  });

  it('have a hover with the notional as an estimate, every digit', async () => {
    const text = await readHover(page(), treeRow(page(), 'coin002_usdt'), 'Notional (est.)');
    assert.match(text, /Limit at 5×\s+unknown/);
  });

  const pressStatusLink = (link: string) =>
    pressInHover(page(), status(), 'Close to liquidation', link);

  it('have a status hover with links that do what they say', async () => {
    const reads = accountReads(exchange).length;
    await pressStatusLink('Refresh Account');
    await eventually('a read', () => accountReads(exchange).length > reads);
    await pressStatusLink('Cancel All Open Orders…');
    const { message } = await readDialog(page());
    assert.equal(message, 'TEST · Main — cancel ALL open orders?');
    await pressInDialog(page(), 'Keep Orders');
    const links = await whileHovering(page(), status(), 'Close to liquidation', (hover) =>
      hover.getByRole('link').allInnerTexts(),
    );
    assert.deepEqual(links, ['Account Overview', 'Refresh Account', 'Cancel All Open Orders…']);
    await leaveHover(page());
    assert.ok(exchange.requests.every(({ method }) => method === 'GET'));
  });

  it('copy a row as the exchange wrote it, from its menu', async () => {
    await chooseFromMenu(page(), treeRow(page(), 'coin002_usdt'), 'Copy Row as JSON');
    const text = () => page().evaluate(() => navigator.clipboard.readText());
    await eventually('the copy', async () => (await text()).includes(`"amount": ${digits}`));
  });

  it('open a new panel with their symbol as its only filter, even if its symbols load late', async () => {
    isSilent = true;
    await chooseFromMenu(
      page(),
      treeRow(page(), 'coin002_usdt'),
      'Open Trade History for This Symbol',
    );
    const panel = webview(page());
    await panel.getByRole('heading', { name: 'No trades match these filters' }).waitFor();
    const chips = panel.getByRole('button', { name: /^Remove filter/ });
    assert.deepEqual(await chips.allInnerTexts(), ['Symbol: coin002_usdt']);
    await page().getByRole('tab', { name: 'Trade History · coin002_usdt', exact: true }).waitFor();
    const asked = exchange.requests
      .filter(({ path }) => path.includes('/trades'))
      .map(({ path }) => new URL(path, exchange.url).searchParams);
    // Nobody knows yet whether pages begin with 0: behind one without rows, page 1 is asked as well.
    assert.deepEqual(
      asked.map((query) => [query.get('page'), query.get('symbol')]),
      [
        ['0', 'coin002_usdt'],
        ['1', 'coin002_usdt'],
      ],
    );
  });

  for (const [name, days] of [
    ['Today', 1],
    ['Last 7 days', 7],
    ['Last 30 days', 30],
    ['Last 90 days', 90],
  ] as const)
    it(`request whole days of the display zone, half-open: ${name}`, async () => {
      const asked = () =>
        exchange.requests
          .filter(({ path }) => path.includes('/trades'))
          .map(({ path }) => new URL(path, exchange.url).searchParams)
          // Page 1 is asked as well behind one without rows, and may come late.
          .filter((query) => query.get('page') === '0');
      const before = asked().length;
      await new PanelFilters(page()).choose('Period', name);
      const query = await eventually('the query', () => asked()[before]);
      const [from = NaN, to = NaN] = ['dateFrom', 'dateTo'].map((bound) =>
        Number(query.get(bound)),
      );
      assert.equal(to - from, days * dayMs);
      assert.equal((from + 14 * hourMs) % dayMs, 0, 'a day begins at UTC+14');
      const now = Date.now();
      assert.ok(to - dayMs - minuteMs <= now && now < to, 'today is the last of them');
    });

  it('open the leverage rules at their own, highlighted, also in an open panel', async () => {
    for (const [symbol, row] of [
      ['coin002_usdt', 45],
      ['coin003_usdt', 30],
    ] as const) {
      await chooseFromMenu(
        page(),
        treeRow(page(), symbol),
        'Open Leverage Rules for This Position',
      );
      const own = webview(page()).locator(`[role='row'][aria-current='true']`);
      await own.locator(`#cell-${row}-0 .mark`, { hasText: symbol }).waitFor();
      assert.equal(await own.count(), 1);
      const grid = await webview(page()).locator('margin-grid').boundingBox();
      const place = await own.boundingBox();
      assert.ok(grid && place);
      assert.ok(place.y > grid.y && place.y + place.height <= grid.y + grid.height);
      const active = await webview(page()).getByRole('grid').getAttribute('aria-activedescendant');
      assert.equal(active, `cell-${row}-0`);
    }
  });

  it('say that no rule is listed for a leverage beyond the table, and show no rule of another position', async () => {
    const row = treeRow(page(), 'coin004_usdt');
    await chooseFromMenu(page(), row, 'Open Leverage Rules for This Position');
    await webview(page()).getByText('No rule for 60× (coin004_usdt) is listed.').waitFor();
    const grid = webview(page()).getByRole('grid');
    assert.equal(await grid.getAttribute('aria-activedescendant'), 'cell-0-0');
    assert.equal(await grid.locator("[aria-current='true']").count(), 0);
  });

  it('open their panels from the links of their hover', async () => {
    await pressInHover(page(), treeRow(page(), 'coin002_usdt'), 'Notional (est.)', 'Order History');
    await webview(page()).getByRole('heading', { level: 1, name: 'Order History' }).waitFor();
    const asked = await eventually('the query', () =>
      exchange.requests.find(({ path: sent }) => sent.includes('/orders/history')),
    );
    const { searchParams } = new URL(asked.path, exchange.url);
    assert.equal(searchParams.get('symbol'), 'coin002_usdt');
  });

  it('have a lock and no cancel-all button in a read-only profile, whose command explains', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Watch');
    const header = page().locator('.part.sidebar .pane-header', { hasText: 'Open Orders' });
    await header.filter({ hasText: 'TEST · Watch · read-only' }).waitFor();
    await eventually('the lock', () => status().locator('.codicon-lock').count());
    for (const view of ['Positions', 'Assets', 'Open Orders']) {
      const title = page().locator('.part.sidebar .pane-header', { hasText: view });
      await title.hover();
      await title.getByRole('button', { name: 'Explain Read-Only Profile' }).waitFor();
    }
    assert.equal(await header.getByRole('button', { name: 'Cancel All Open Orders…' }).count(), 0);
    await header.getByRole('button', { name: 'Explain Read-Only Profile' }).click();
    const reason = notification(
      page(),
      '“Watch” is a read-only profile: Margin Desk sends nothing',
    );
    await reason.locator('.monaco-button', { hasText: 'Edit Profile…' }).waitFor();
    await clearNotifications(page());
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    const message = notification(page(), '“Watch” is a read-only profile, so nothing was sent.');
    await message.waitFor();
    await message.locator('.monaco-button', { hasText: 'Edit Profile…' }).waitFor();
    assert.ok(exchange.requests.every(({ method }) => method === 'GET'));
  });

  it('do not alert of a liquidation after a switch to another profile', async () => {
    await clearNotifications(page());
    let answer = (): void => assert.fail('nothing was asked');
    const asked = new Promise<void>((resolve) => {
      onOrders = (response) => {
        const time = String(Date.now());
        const order = wire(anOrder({ symbol: 'coin002_usdt', status: 'LIQUIDATED', time }));
        const page = `{"content":[${order}],"size":100,"totalPages":1,"totalElements":1}`;
        answer = () => response.end(page);
        resolve();
      };
    });
    shown = { ...account, positions: account.positions?.slice(1) ?? [] };
    await runCommand(page(), 'Margin Desk: Refresh Account');
    await asked;
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Other');
    await eventually('the other account', async () =>
      (await status().innerText()).includes('1,000'),
    );
    answer();
    otherEquity = '100';
    await runCommand(page(), 'Margin Desk: Refresh Account');
    await notification(page(), 'TEST · Other: equity').waitFor();
    const texts = await readNotifications(page());
    assert.deepEqual(
      texts.filter((text) => text.includes('TEST · Watch')),
      [],
    );
  });
});
