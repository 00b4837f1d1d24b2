import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { eventually } from '../../support/eventually.ts';
import { hostileAnswers } from '../../support/hostileAnswers.ts';
import { hostileExchange, type HostileExchange } from '../../support/hostileExchange.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { hostileServer, type HostileServer } from '../../support/hostileServer.ts';
import { useTheme } from '../../support/workbench/appearance.ts';
import { findingsIn } from '../../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { treeRows } from '../../support/workbench/tree.ts';
import { webview } from '../../support/workbench/webview.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** One window: each test continues where the one before it ended. */
describe('in a real workbench', () => {
  let harmful: HostileServer;
  let limited: HostileExchange;
  let workbench: Workbench;
  let orders = (response: ServerResponse): void => void response.writeHead(404).end();

  before(async () => {
    harmful = await hostileServer(({ url = '' }, response) => {
      if (url.startsWith('/api/v1/accounts')) response.end(hostileAnswers.account());
      else if (url.startsWith('/api/v1/transactions')) response.end(hostileAnswers.transactions());
      else if (url.startsWith('/api/v1/system')) response.end(hostileAnswers.information());
      else orders(response);
    });
    const newestAt = Date.now() - hourMs;
    const recent = rowsOf('trades', 25, { newestAt, spacingMs: hourMs });
    const old = { newestAt: newestAt - 16 * dayMs, spacingMs: hourMs, firstId: 5000n };
    limited = await hostileExchange({
      reading: { maxRangeDays: 7, sort: 'newestFirst' },
      rows: { trades: [...recent, ...rowsOf('trades', 13, old)] },
    });
    const dialect = { maxRangeDays: 7, dates: 'epochMs', firstPage: 0, sort: 'newestFirst' };
    const profile = { environment: 'test', auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      settings: {
        'marginDesk.timeZone': 'UTC',
        'marginDesk.profiles': {
          Harmful: { ...profile, baseUrl: harmful.url },
          Limited: { ...profile, baseUrl: limited.url, dialect },
        },
        'marginDesk.defaultProfile': 'Harmful',
      },
    });
  });
  after(async () => {
    await workbench.close();
    await harmful.close();
    await limited.close();
  });

  const page = () => workbench.page;
  const panel = () => webview(page());

  describe('a hostile exchange', () => {
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
      const count = (): void => void (dialogs += 1);
      page().on('dialog', count);
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
      page().off('dialog', count);
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
        'a limit',
        429,
        '',
        /Rate limited by the exchange/,
        /order history: (?:rate limited by the exchange|not sent, because the rate limit)/,
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

    it('shows the rows as soon as the exchange answers', async () => {
      orders = (response) =>
        response.end('{"content":[],"size":20,"totalPages":0,"totalElements":0}');
      await panel().getByRole('button', { name: 'Retry' }).click();
      await panel().getByRole('heading', { name: 'No orders yet in this account' }).waitFor();
      await panel().getByText('Place an order at the exchange, then refresh.').waitFor();
    });
  });

  describe('an exchange that limits the period', () => {
    before(async () => {
      await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Limited');
      await runCommand(page(), 'Margin Desk: Open Trade History');
      await grid().waitFor();
    });

    const grid = () => panel().getByRole('grid');
    const parts = () => panel().getByRole('navigation', { name: 'Parts of the period' });
    const pages = () => panel().getByRole('navigation', { name: 'Pages' });
    const older = () => parts().getByRole('button', { name: 'Older' });
    const newer = () => parts().getByRole('button', { name: 'Newer' });
    const empty = () =>
      panel().getByRole('heading', { name: 'No rows in this part of the period' });
    const isDisabled = async (button: ReturnType<typeof older>): Promise<boolean> =>
      (await button.getAttribute('aria-disabled')) === 'true';
    const width = async () => (await panel().locator('#app').boundingBox())?.width ?? Infinity;
    const range = (text: string) => panel().locator('.range', { hasText: text }).waitFor();

    async function assertAccessible(): Promise<void> {
      assert.deepEqual(await findingsIn(page()), []);
    }

    it('starts with the latest part, whose pages and total are its own', async () => {
      await panel().getByRole('button', { name: '100 per page' }).click();
      await panel().getByRole('menuitemradio', { name: '20 per page' }).click();
      await range('1–20 of 25');
      const period = await parts().innerText();
      assert.match(period, /Showing \d{4}-\d\d-\d\d [\d:]+ UTC to .+ limits the period/);
      assert.deepEqual([await isDisabled(older()), await isDisabled(newer())], [false, true]);
      await pages().getByRole('button', { name: 'Next page' }).click();
      await range('21–25 of 25');
      assert.equal(await parts().innerText(), period);
      await assertAccessible();
    });

    it('says that a part has no rows, and offers the older one', async () => {
      await older().click();
      await empty().waitFor();
      assert.deepEqual([await isDisabled(older()), await isDisabled(newer())], [false, false]);
      await assertAccessible();
      await panel().locator('.message').getByRole('button', { name: 'Older' }).click();
      await range('1–13 of 13');
    });

    it('goes back to newer parts', async () => {
      await newer().click();
      await empty().waitFor();
      await newer().click();
      await range('1–20 of 25');
      assert.ok(await isDisabled(newer()));
    });

    it('has no accessibility finding in high contrast, wide and narrow', async () => {
      await useTheme(workbench, 'Default High Contrast');
      await assertAccessible();
      await page().setViewportSize({ width: 620, height: 800 });
      await eventually('a narrow panel', async () => (await width()) < 480);
      await assertAccessible();
    });
  });
});
