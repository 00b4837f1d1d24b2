import assert from 'node:assert/strict';
import { anAccount, aPosition, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { accountReads, hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { showView, treeMessage, treeRow, treeRows } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

const feeTiers = '[{"tier":1,"maker":-0.0001,"volume30D":0,"taker":0.0005}]';

/** One window on an exchange that answers, and then does not: each test goes on where the one before it ended. */
describe('figures that are read again and again in a real workbench', () => {
  let exchange: HostileServer;
  let workbench: Workbench;
  let upl = '10';

  before(async () => {
    exchange = await hostileServer(({ url = '' }, response) => {
      if (url.startsWith('/api/v1/feeTiers')) response.end(feeTiers);
      else if (!url.startsWith('/api/v1/accounts')) response.writeHead(404).end();
      else response.end(wire(anAccount({ positions: [aPosition({ upl })] })));
    });
    const profile = { baseUrl: exchange.url, environment: 'test', auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': { Main: profile },
        'marginDesk.defaultProfile': 'Main',
        'marginDesk.pollSeconds.focused': 5,
        'marginDesk.pollSeconds.unfocused': 5,
      },
    });
    await showView(page(), 'Margin Desk');
    await position().waitFor();
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const position = () => treeRow(page(), 'btc_usdt');
  const field = () => treeRows(page(), 'Positions').filter({ hasText: 'ROE' });

  it('do not change which rows are expanded and selected', async () => {
    await position().click();
    await field().click();
    assert.equal(await position().getAttribute('aria-expanded'), 'true');
    upl = '20';
    const reads = accountReads(exchange).length;
    await eventually('another read', () => accountReads(exchange).length > reads);
    await position().filter({ hasText: '+20 · Long' }).waitFor();
    assert.equal(await position().getAttribute('aria-expanded'), 'true');
    assert.equal(await field().getAttribute('aria-selected'), 'true');
  });

  it('say everywhere that they are stale once the exchange is gone', async () => {
    await runCommand(page(), 'Margin Desk: Open Fee Tiers');
    const panel = webview(page());
    await panel.locator('.mark', { hasText: 'this account' }).waitFor();
    await exchange.close();
    const status = statusBarItem(page(), 'marginDesk.equity');
    await status.filter({ hasText: /^TEST 12,012\.50 · \d+ s old$/ }).waitFor();
    assert.match((await status.getAttribute('class')) ?? '', /warning-kind/);
    for (const view of ['Positions', 'Assets', 'Open Orders'])
      await treeMessage(page(), view)
        .filter({ hasText: /Stale: these figures are \d+ s old, as of \d{4}-/ })
        .waitFor();
    await page()
      .locator('.pane-header', { hasText: /TEST · stale, \d+ s/ })
      .first()
      .waitFor();
    await position().filter({ hasText: '+20 · Long' }).waitFor();
    await panel
      .getByRole('note')
      .filter({ hasText: /Stale: the account data on this page is \d+ s old, as of \d{4}-/ })
      .waitFor();
  });
});
