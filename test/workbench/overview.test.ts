import assert from 'node:assert/strict';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { accountReads, hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { setSideBarWidth, useTheme } from '../support/workbench/appearance.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../support/workbench/commands.ts';
import { pressInHover } from '../support/workbench/hover.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { showView, treeRow, treeRows } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

/** One window: each test goes on where the one before it ended. */
describe('the account overview and the views in a real workbench', () => {
  let exchange: HostileServer;
  let workbench: Workbench;
  let upl = '10';

  before(async () => {
    exchange = await hostileServer(({ url = '' }, response) => {
      if (url.startsWith('/api/v1/accounts')) response.end(wire(someAccount()));
      else response.writeHead(404).end();
    });
    const own = { baseUrl: exchange.url, auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': {
          Main: { ...own, environment: 'live' },
          Watch: { ...own, environment: 'test', readOnly: true },
        },
      },
    });
    await showView(page(), 'Margin Desk');
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const someAccount = () =>
    anAccount({
      upl,
      positions: Array.from({ length: 30 }, (_, index) =>
        aPosition({ symbol: `btc_usdt${index || ''}`, upl }),
      ),
      orders: [someLocked()],
    });
  const page = () => workbench.page;
  const position = () => treeRow(page(), 'btc_usdt');
  const overview = () => webview(page());
  const status = () => statusBarItem(page(), 'marginDesk.equity');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page().keyboard.press(key);
  };

  it('says how to begin, and shows the account that is opened, by itself', async () => {
    await runCommand(page(), 'Margin Desk: Open Account Overview');
    await overview().getByText('No account is open.').waitFor();
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Main');
    const card = overview().locator('.card').filter({ hasText: 'Unrealised P&L' });
    await card.getByText('+10', { exact: true }).waitFor();
    assert.equal(await overview().locator('.environment').innerText(), 'LIVE');
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('offers copies and details, and nothing that a position has not, in the menu of a cell', async () => {
    await overview().locator('#cell-1-1').click({ button: 'right' });
    const items = page().locator('.context-view .monaco-menu .action-label');
    await items.filter({ hasText: 'Copy as Markdown' }).waitFor();
    assert.deepEqual(
      (await items.allInnerTexts()).filter((text) => text !== ''),
      [
        ...['Copy', 'Copy with Headers', 'Copy Rows', 'Copy Rows as JSON', 'Copy as Markdown'],
        'Show Details',
      ],
    );
    await press('Escape');
  });

  it('keeps which rows of a view are expanded and selected when the account is read again', async () => {
    const field = treeRows(page(), 'Positions').filter({ hasText: 'ROE' });
    await position().click();
    await field.click();
    assert.equal(await position().getAttribute('aria-expanded'), 'true');
    upl = '30';
    const reads = accountReads(exchange).length;
    await pressInHover(page(), status(), 'Equity', 'Refresh Account');
    await eventually('a read', () => accountReads(exchange).length > reads);
    await position().filter({ hasText: ' +30 (' }).waitFor();
    assert.equal(await position().getAttribute('aria-expanded'), 'true');
    assert.equal(await field.getAttribute('aria-selected'), 'true');
    await position().click();
  });

  it('shows whole symbols in a narrow side bar, with and without the borders of high contrast', async () => {
    await setSideBarWidth(page(), 200);
    await symbolsFit();
    await useTheme(workbench, 'Default High Contrast');
    await symbolsFit();
  });

  async function symbolsFit(): Promise<void> {
    const sideBar = await page().locator('.part.sidebar').boundingBox();
    assert.ok(sideBar && sideBar.width <= 201);
    const rows = await treeRows(page(), 'Positions').all();
    assert.ok(rows.length >= 5);
    for (const row of rows) {
      const label = await row.locator('.label-name').boundingBox();
      assert.ok(label && label.width > 0);
      assert.ok(label.x >= sideBar.x && label.x + label.width <= sideBar.x + sideBar.width);
      assert.ok(await row.evaluate((element) => element.scrollWidth <= element.clientWidth));
    }
  }

  it('has an explanation in place of cancel-all in the views of a read-only profile', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Watch');
    const orders = page().locator('.part.sidebar .pane-header', { hasText: 'Open Orders' });
    await eventually('the lock', () => status().locator('.codicon-lock').count());
    await orders.hover();
    await orders.getByRole('button', { name: 'Explain Read-Only Profile' }).waitFor();
    assert.equal(await orders.getByRole('button', { name: 'Cancel All Open Orders…' }).count(), 0);
  });
});
