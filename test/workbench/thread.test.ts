import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { reloadWindow, runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../support/workbench/panelFilters.ts';
import { readOutput } from '../support/workbench/output.ts';
import { quickInput } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import {
  chooseFromMenu,
  readRows,
  showView,
  treeMessage,
  treeRow,
  treeRows,
} from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

/** One window from its first minute on: each test goes on where the one before it ended. */
describe('the packaged extension in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1440, height: 900 },
      settings: { 'marginDesk.timeZone': 'UTC', 'marginDesk.alerts.positions': true },
    });
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const equity = () => statusBarItem(page(), 'marginDesk.equity');
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');
  const tab = (name: string) => page().getByRole('tab', { name, exact: true });
  const range = () => panel().locator('.range');
  const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();

  /** The shown texts of one column, by its heading. */
  async function column(heading: string): Promise<string[]> {
    const headings = await grid().getByRole('columnheader').allInnerTexts();
    const index = headings
      .map((text) => text.trim().replace(/ \(UTC[^)]*\)$/, ''))
      .indexOf(heading);
    assert.ok(index >= 0, `${heading} among ${headings.join()}`);
    return grid()
      .locator(`[role="gridcell"][aria-colindex="${index + 1}"]`)
      .allInnerTexts();
  }

  /** Waits until the rows are those of `expected`, such as `1–100 of`. */
  async function rowsShown(expected: RegExp): Promise<string> {
    await eventually(`the range ${String(expected)}`, async () =>
      expected.test(await range().innerText()),
    );
    await eventually('the rows', async () => (await grid().getAttribute('aria-busy')) !== 'true');
    return range().innerText();
  }

  it('loads only the entry file without an account, and the rest on first use', async () => {
    await eventually('the extension to be activated', () => isActivated(workbench));
    // A new window lists its output channels only after the view was opened once.
    await runCommand(page(), 'Output: Focus on Output View');
    assert.equal(await hasChannel(page()), false);
    await runCommand(page(), 'Margin Desk: Show Log');
    await eventually('the channel', () => hasChannel(page()));
    await runCommand(page(), 'View: Hide Panel');
  });

  it('shows how to begin in a new window', async () => {
    await showView(page(), 'Margin Desk');
    for (const name of ['Open Practice Account', 'Add Profile…', 'Import Profiles…'])
      await page().locator('.welcome-view-content .monaco-button', { hasText: name }).waitFor();
    assert.equal(await page().locator('.part.sidebar .pane').count(), 1);
    assert.equal(await equity().count(), 0);
  });

  it('goes from the palette to equity and positions on the screen within a minute', async () => {
    const startedAt = performance.now();
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    const text = await eventually(
      'equity in the status bar',
      async () => /PRACTICE [\d,.]+…? [+−][\d,.]+…?$/.exec(await equity().innerText())?.[0],
      { deadlineMs: 60_000 },
    );
    // The account, then its positions.
    await treeRows(page(), 'Positions').nth(3).waitFor();
    assert.ok(performance.now() - startedAt < 60_000);
    assert.match(text, /^PRACTICE /);
    const [head, ...rows] = await readRows(page(), 'Positions');
    assert.equal(head?.label, 'Practice');
    assert.ok(rows.length >= 3);
    for (const { label, spoken } of rows)
      assert.match(
        spoken,
        new RegExp(`^${label}, [a-z ]+, (?:Long|Short), Unrealised P&L −?[\\d,.]+`),
      );
    assert.match(
      await treeMessage(page(), 'Open Orders').innerText(),
      /^Practice account\. Cancelled orders come back/,
    );
  });

  it('ticks the steps of the walkthrough whose state is reached, and no other', async () => {
    await runCommand(page(), 'Margin Desk: Open Walkthrough');
    const tick = (title: string) =>
      page()
        .locator('.getting-started-step')
        .filter({ hasText: title })
        .locator('.complete')
        .locator('visible=true');
    for (const title of ['Try it without a key', 'Read your positions'])
      await tick(title).waitFor();
    for (const title of ['Connect with a read-only key', 'Cancel all open orders'])
      assert.equal(await tick(title).count(), 0);
    await runCommand(page(), 'View: Close All Editors');
  });

  it('opens the order history on its newest hundred rows', async () => {
    await runCommand(page(), 'Margin Desk: Open Order History');
    await grid().waitFor();
    await rowsShown(/^1–100 of [\d,]{5,}$/);
    const times = await column('Time');
    assert.ok(times.length > 20);
    assert.deepEqual(times, [...times].sort().reverse());
  });

  const filters = () => new PanelFilters(page());

  it('comes back after a reload: account, panels, filters, page, and privacy mode', async () => {
    const isHidden = async () => (await equity().innerText()).endsWith('PRACTICE ••• •••');
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await eventually('no equity', isHidden);
    await filters().choose('Side', 'BUY');
    await eventually('only buys', async () =>
      (await column('Side')).every((side) => side === 'Buy'),
    );
    await press('Next page');
    await rowsShown(/^101–200 of/);
    await chooseFromMenu(page(), treeRow(page(), 'btc_usdt'), 'Open Trade History for This Symbol');
    await tab('Trade History · btc_usdt').waitFor();
    await grid().getByRole('gridcell', { name: 'btc_usdt' }).first().waitFor();
    await tab('Order History').click();
    await rowsShown(/^101–200 of/);
    await runCommand(page(), 'Margin Desk: Open Account Overview');
    const total = panel().locator('.card').filter({ hasText: 'Equity' });
    await total.getByText('•••').waitFor();
    await reloadWindow(page());
    await total.getByText('•••').waitFor();
    await page().locator('.tab', { hasText: 'Order History' }).click();
    await grid().waitFor();
    await rowsShown(/^101–200 of/);
    assert.ok((await column('Side')).every((side) => side === 'Buy'));
    assert.ok((await column('Amount')).every((amount) => amount === '•••'));
    assert.ok(await isHidden());
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await eventually('equity', async () =>
      /PRACTICE [\d,]+\.\d\d/.test(await equity().innerText()),
    );
  });

  it('writes a log of requests without a value in it', async () => {
    await runCommand(page(), 'Margin Desk: Show Log');
    assert.notEqual(await readOutput(page(), 'Margin Desk'), '');
    // The channel shows the last lines.
    const log = (await logsOf(workbench, 'Margin Desk.log')).join('\n');
    assert.match(log, /GET \/api\/v1\/accounts → 200/);
    assert.match(log, /GET \/api\/v1\/orders\/history\?side&page&size → 200/);
    assert.doesNotMatch(log, /signature|timestamp|[0-9a-f]{32}/);
  });

  it('opens the positions from the status bar', async () => {
    await runCommand(page(), 'View: Show Explorer');
    await treeRows(page(), 'Positions').first().waitFor({ state: 'hidden' });
    await equity().click();
    await treeRows(page(), 'Positions').first().waitFor({ state: 'visible' });
  });
});

/** Whether VS Code's own log of the extension host says so. */
async function isActivated(workbench: Workbench): Promise<boolean> {
  const texts = await logsOf(workbench, 'exthost.log');
  return texts.some((text) => text.includes('_doActivateExtension margin-desk.margin-desk'));
}

/** The log files of this name, of each extension host. */
async function logsOf({ dataDir }: Workbench, name: string): Promise<string[]> {
  const logs = path.join(dataDir, 'data/logs');
  const files = (await readdir(logs, { recursive: true })).filter((file) => file.endsWith(name));
  return Promise.all(files.map((file) => readFile(path.join(logs, file), 'utf8')));
}

/** Whether the app is loaded: it creates its output channel when it starts. */
async function hasChannel(page: Page): Promise<boolean> {
  await runCommand(page, 'Output: Show Output Channels...');
  const { input, rows } = quickInput(page);
  await rows.first().waitFor();
  await input.fill('Margin Desk');
  await rows.filter({ hasNotText: 'Margin Desk' }).first().waitFor({ state: 'detached' });
  const isThere = (await rows.count()) > 0;
  await page.keyboard.press('Escape');
  return isThere;
}
