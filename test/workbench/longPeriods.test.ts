import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { hostileExchange, type HostileExchange } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { useTheme } from '../support/workbench/appearance.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { webview } from '../support/workbench/webview.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('a long period in a real workbench', () => {
  let exchange: HostileExchange;
  let workbench: Workbench;

  before(async () => {
    const newestAt = Date.now() - hourMs;
    const recent = rowsOf('trades', 25, { newestAt, spacingMs: hourMs });
    const old = { newestAt: newestAt - 16 * dayMs, spacingMs: hourMs, firstId: 5000n };
    exchange = await hostileExchange({
      reading: { maxRangeDays: 7, sort: 'newestFirst' },
      rows: { trades: [...recent, ...rowsOf('trades', 13, old)] },
    });
    const dialect = { maxRangeDays: 7, dates: 'epochMs', firstPage: 0, sort: 'newestFirst' };
    const auth = { scheme: 'none' };
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 800 },
      settings: {
        'marginDesk.timeZone': 'UTC',
        'marginDesk.defaultProfile': 'Test',
        'marginDesk.profiles': {
          Test: { baseUrl: exchange.url, environment: 'test', auth, dialect },
        },
      },
    });
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await grid().waitFor();
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');
  const parts = () => panel().getByRole('navigation', { name: 'Parts of the period' });
  const pages = () => panel().getByRole('navigation', { name: 'Pages' });
  const older = () => parts().getByRole('button', { name: 'Older' });
  const newer = () => parts().getByRole('button', { name: 'Newer' });
  const empty = () => panel().getByRole('heading', { name: 'No rows in this part of the period' });
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
