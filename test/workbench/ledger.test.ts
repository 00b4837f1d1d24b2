import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { useTheme } from '../support/workbench/appearance.ts';
import { reloadWindow, runAndPick, runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { quickInput } from '../support/workbench/quickInput.ts';
import { webview } from '../support/workbench/webview.ts';

/** One window: each test goes on where the one before it ended. */
describe('the ledger in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
    await runCommand(page(), 'Margin Desk: Try the Practice Exchange');
    await runCommand(page(), 'Margin Desk: Open Ledger');
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const ledger = () => webview(page());
  const history = (label: string) =>
    ledger()
      .locator('article')
      .filter({ has: ledger().getByRole('heading', { name: label, exact: true }) });
  const complete = (label: string) => history(label).getByText(/ · complete to /);

  it('opens for the practice account without a question', async () => {
    await ledger().getByText('Nothing was downloaded yet.').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('downloads what is chosen of 90 days, after it said what that takes', async () => {
    await runAndPick(page(), 'Margin Desk: Download History…', '90 Days');
    const { rows, input } = quickInput(page());
    const row = (label: string) => rows.filter({ hasText: label });
    await row('Liquidation lots')
      .getByText(/weight \d/)
      .waitFor();
    // The exchange paces a download: the history with the fewest rows takes seconds, all take a minute.
    for (const label of ['Orders', 'Trades', 'Transactions · FUTURE']) await row(label).click();
    await input.press('Enter');
    assert.match((await readDialog(page())).detail, /^It takes at least \d+ pages? · weight \d+/);
    await pressInDialog(page(), 'Download');
    await notification(page(), 'The history of Practice is downloaded.').waitFor({
      timeout: 100_000,
    });
    await clearNotifications(page());
    await complete('Transactions · SPOT').waitFor();
    for (const label of ['Orders', 'Trades', 'Transactions · FUTURE', 'Liquidation lots'])
      await history(label).getByText('0 rows · never read').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('is there again after a reload', async () => {
    const summary = await history('Transactions · SPOT').locator('.summary').innerText();
    const [rows] = summary.split(' · ');
    await reloadWindow(page());
    await history('Transactions · SPOT')
      .getByText(new RegExp(`^${rows ?? ''}`))
      .waitFor();
  });

  it('is analysed, and a bar opens its rows', async () => {
    await ledger().getByRole('button', { name: 'Open Analysis' }).click();
    const analysis = webview(page());
    await analysis.getByRole('button', { name: 'Cash flow' }).click();
    for (const [tool, choice] of [
      ['Account type', 'SPOT'],
      ['Period', 'Last 90 days'],
      ['Group', 'Week'],
    ] as const) {
      await analysis.getByRole('button', { name: new RegExp(`^${tool}: `) }).click();
      await analysis.getByRole('menuitemradio', { name: choice }).click();
      await analysis.getByRole('button', { name: `${tool}: ${choice}` }).waitFor();
    }
    await analysis.locator('.result[aria-busy=false]').waitFor();
    const chart = analysis.getByRole('application').first();
    const readout = analysis.locator('.readout').first();
    await chart.press('End');
    await eventually('a bar with rows', async () => {
      if ((await readout.getByRole('button').count()) > 0) return true;
      await chart.press('ArrowLeft');
      return false;
    });
    const week = (await readout.innerText()).slice(0, 'YYYY-MM-DD'.length);
    assert.deepEqual(await findingsIn(page()), []);
    await chart.press('Enter');
    const table = webview(page());
    await table.getByRole('heading', { name: 'Transaction History' }).waitFor();
    await table.getByRole('gridcell').first().waitFor();
    await table.getByRole('button', { name: `Remove filter “${week}` }).waitFor();
    await runCommand(page(), 'View: Close Editor');
    await runCommand(page(), 'View: Close Editor');
  });

  it('can be read in a high contrast theme and a light one', async () => {
    for (const theme of ['Default High Contrast', 'Default Light Modern']) {
      await useTheme(workbench, theme);
      await complete('Transactions · SPOT').waitFor();
      assert.deepEqual(await findingsIn(page()), []);
    }
  });
});
