import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { treeRows } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

const hostile = '<img src=x onerror=alert(1)>[x](command:workbench.action.quit)$(trash)\u202eevil';

/** What a person sees of an exchange that means harm, or that says no. */
describe('a hostile exchange in a real workbench', () => {
  let server: HostileServer;
  let workbench: Workbench;
  let orders = (response: ServerResponse): void => void response.writeHead(404).end();

  before(async () => {
    server = await hostileServer(({ url = '' }, response) => {
      if (url.startsWith('/api/v1/accounts')) response.end(account());
      else if (url.startsWith('/api/v1/transactions')) response.end(transactions());
      else if (url.startsWith('/api/v1/system')) response.end(information());
      else orders(response);
    });
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': {
          Test: { baseUrl: server.url, environment: 'test', auth: { scheme: 'none' } },
        },
        'marginDesk.defaultProfile': 'Test',
      },
    });
  });
  after(async () => {
    await workbench.close();
    await server.close();
  });

  const page = () => workbench.page;
  const panel = () => webview(page());

  it('cannot draw, link or hide anything in the views', async () => {
    await runCommand(page(), 'View: Show Margin Desk');
    await eventually('a row in three views', async () => (await treeRows(page()).count()) >= 10);
    const sidebar = page().locator('.part.sidebar');
    assert.equal(
      await sidebar.locator('.monaco-list-row img, .monaco-list-row a[href]').count(),
      0,
    );
    assert.doesNotMatch(await sidebar.innerText(), /\u202e/);
  });

  it('cannot draw, link or hide anything in a panel, its filters and its facts', async () => {
    let dialogs = 0;
    page().on('dialog', () => (dialogs += 1));
    for (const title of ['Transaction History', 'Exchange Information']) {
      await runCommand(page(), `Margin Desk: Open ${title}`);
      await panel().getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      const body = panel().locator('body');
      await eventually('the hostile text', async () =>
        (await body.innerText()).includes('onerror=alert'),
      );
      assert.equal(await panel().locator('img, a[href]').count(), 0);
      assert.doesNotMatch(await body.innerText(), /\u202e/);
      assert.deepEqual(await findingsIn(page()), []);
    }
    assert.equal(dialogs, 0);
  });

  const refusals: [string, number, string, RegExp, RegExp][] = [
    [
      'credentials that are not accepted',
      401,
      '{"message":"unknown key"}',
      /rejected the credentials/,
      /“unknown key”.*Check the API key/,
    ],
    [
      'a limit, with how long it lasts',
      429,
      '',
      /Rate limited by the exchange/,
      /Try again in \d+ s/,
    ],
    [
      'an answer that is none',
      200,
      '<html>',
      /./,
      /does not match the API: the answer is an HTML page/,
    ],
    [
      'a refused filter',
      400,
      '{"message":"size too large"}',
      /./,
      /order history: the exchange refused.*Check the filters/,
    ],
  ];
  for (const [name, status, body, heading, sentence] of refusals) {
    it(`has its own message in the panel: ${name}`, async () => {
      const headers = status === 429 ? { 'retry-after': '1' } : {};
      orders = (response) => response.writeHead(status, headers).end(body);
      await runCommand(page(), 'Margin Desk: Open Order History');
      const alert = panel().getByRole('alert');
      const refresh = panel().getByRole('button', { name: 'Refresh' });
      await eventually(name, async () => {
        if (sentence.test(await alert.innerText())) return true;
        await refresh.click({ timeout: 1000 });
        return false;
      });
      assert.match(await alert.innerText(), heading);
      assert.equal(await page().locator('.monaco-dialog-box').count(), 0);
    });
  }

  it('shows the rows as soon as the exchange gives them', async () => {
    orders = (response) =>
      response.end('{"content":[],"size":20,"totalPages":0,"totalElements":0}');
    await panel().getByRole('button', { name: 'Retry' }).click();
    await panel().getByRole('heading', { name: 'No orders yet in this account' }).waitFor();
    await panel().getByText('Place an order at the exchange, then refresh.').waitFor();
  });
});

function account(): string {
  const [asset] = anAccount().assets ?? [];
  return wire(
    anAccount({
      positions: [aPosition({ symbol: hostile, marginMode: hostile })],
      assets: asset ? [{ ...asset, name: hostile }] : [],
      orders: [someLocked({ symbol: hostile })],
      tradeFeeAsset: hostile,
    }),
  );
}

function transactions(): string {
  const record = `{"transactionId":1,"transactionUuid":${text()},"asset":${text()},"link":${text('javascript:alert(1)//')},"amount":-1.5,"type":${text()},"time":1763632800123}`;
  return `{"content":[${record}],"size":20,"totalPages":1,"totalElements":1}`;
}

function information(): string {
  const symbol = ['symbol', 'marginAsset', 'baseAsset', 'pair', 'quoteAsset', 'status']
    .map((name) => `"${name}":${text()}`)
    .join(',');
  const limit = `{"intervalNum":1,"limit":1000,"interval":${text()},"rateLimitType":${text()}}`;
  return `{"rateLimits":[${limit}],"timezone":${text()},"serverTime":1763632800123,"symbols":[{${symbol}}]}`;
}

function text(prefix = ''): string {
  return JSON.stringify(prefix + hostile);
}
